import type { Command, Design } from '../design/schema/design.ts';
import type { CommandOption } from './call-state.ts';

/** A design without a command `human` replies truthfully all the same. */
const truthful: Command = {};

/** What a caller may ask for at any step of the design. */
export function commandsOf({ hooks }: Design): CommandOption[] {
  const commands = { human: truthful, ...hooks?.commands };
  return Object.entries(commands).map(([id, { description = '' }]) => ({ id, description }));
}

/** The command of a design with this id; undefined if it has none. */
export function commandWith(id: string, { hooks }: Design): Command | undefined {
  const { commands = {} } = hooks ?? {};
  if (Object.hasOwn(commands, id)) return commands[id];
  return id === 'human' ? truthful : undefined;
}
