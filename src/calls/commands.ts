import type { Command, Design } from '../design/schema/design.ts';
import type { CommandOption } from './call-state.ts';

/** A design without a command `human` replies truthfully all the same. */
const truthful: Command = {};

/**
 * What a caller may ask for at a step of the design. A command that leads to the step itself is left out: at the step that asks
 * what has happened, a caller who reports an emergency gives an answer.
 */
export function commandsAt(step: string, { hooks }: Design): CommandOption[] {
  const commands: Readonly<Record<string, Command>> = { human: truthful, ...hooks?.commands };
  return Object.entries(commands).flatMap(([id, { description = '', next }]) =>
    next?.step === step ? [] : [{ id, description }],
  );
}

/** The command of a design with this id; undefined if it has none. */
export function commandWith(id: string, { hooks }: Design): Command | undefined {
  const { commands = {} } = hooks ?? {};
  if (Object.hasOwn(commands, id)) return commands[id];
  return id === 'human' ? truthful : undefined;
}
