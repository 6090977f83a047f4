import { ruleOnDisclosure } from '../../disclosure/index.ts';
import { type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';
import { knownCommands } from '../schema/hooks.ts';

/**
 * `design_invalid`: a command that nobody can ask for, because its id is unknown and it has no description, one that leads to
 * two places, or a line that does not truthfully answer the question whether a human speaks.
 */
export function* checkCommands({ hooks }: Design): Generator<Problem> {
  for (const [id, { description = '', line, next }] of Object.entries(hooks?.commands ?? {})) {
    const place = ['hooks', 'commands', id];
    if (!knownCommands.some((known) => known === id) && description.trim() === '')
      yield problem(
        'design_invalid',
        place,
        `${someOf([id])} is not one of the known commands, so it needs a description of what the caller says or means.`,
        `Add a description, or use one of these: ${someOf(knownCommands)}.`,
      );
    if (next?.step !== undefined && next.end === true)
      yield problem(
        'design_invalid',
        [...place, 'next'],
        'This target has step and end; only one is allowed.',
        'Remove one. In a merge patch, null removes a member.',
      );
    if (id === 'human' && line !== undefined && !ruleOnDisclosure(line).discloses)
      yield problem(
        'design_invalid',
        [...place, 'line'],
        'A caller who asks whether a human speaks hears this line, and it does not say clearly that an AI speaks.',
        'Say it, as in "I am an AI assistant.", or leave line out: then the agent says so itself.',
      );
  }
}
