import { commandExit } from '../design/exits.ts';
import type { Command, Design } from '../design/schema/design.ts';
import type { Call } from './call.ts';
import type { CommandOption } from './call-state.ts';
import { linesFor } from './lines.ts';

/** A design without a command `human` replies truthfully all the same. */
const truthful: Command = {};

/** What a caller may ask for at any step of the design. */
export function commandsOf({ hooks }: Design): CommandOption[] {
  const commands = { human: truthful, ...hooks?.commands };
  return Object.entries(commands).map(([id, { description = '' }]) => ({ id, description }));
}

/** The command with this id; undefined if the design has none. */
export function commandOf({ hooks }: Design, id: string): Command | undefined {
  const { commands = {} } = hooks ?? {};
  if (Object.hasOwn(commands, id)) return commands[id];
  return id === 'human' ? truthful : undefined;
}

/** Does what a caller has asked for. Returns false if the call stays at its step, which has to go on. */
export function obeys(call: Call, id: string, { line, next }: Command): boolean {
  call.command(id);
  if (id === 'repeat' && line === undefined) call.repeat();
  else call.say(line ?? (id === 'human' ? linesFor(call.history).human : undefined));
  if (next?.step !== undefined) call.leaveToStep(commandExit(id), next.step, `the caller asked for ${id}`);
  else if (next?.end === true || (id === 'stop' && next === undefined)) call.end('completed');
  else return false;
  return true;
}
