import { type Problem, problem, shortName } from '../problem.ts';
import type { PathStep } from '../proof/path-words.ts';
import { prove } from '../proof/prove.ts';
import type { Design } from '../schema/design.ts';

/** Places of a call that a message shows at its start and at its end. A longer call is cut in the middle. */
const shownPlaces = 6;

/**
 * `design_invalid`: a call collects, records, lets a model speak or transfers before it has disclosed the AI. The message
 * contains the shortest such call. It prevents activation (`decisions#disclosure`).
 * @param design completed, so that its verdicts are the service's own.
 */
export function* checkDisclosedFirst(
  design: Design,
  severity: Problem['severity'] = 'error',
): Generator<Problem> {
  const [proof] = prove(design, [{ property: 'disclosedFirst' }]);
  const last = proof?.counterexample?.at(-1);
  if (!proof?.counterexample || !last) return;
  yield problem(
    'design_invalid',
    last.at === 'step' ? ['steps', last.id] : ['hooks', last.at, 'nodes', last.id],
    `${proof.message} The shortest such call: ${shownCall(proof.counterexample)}.`,
    'Lead every call through a greeting whose introLine says that an AI speaks before it comes here: change entry or the exits on the way.',
    severity,
  );
}

function shownCall(path: readonly PathStep[]): string {
  const shown = path.map(({ id, exit }) => shortName(id) + (exit === null ? '' : ` (${shortName(exit)})`));
  const cut = shown.length - 2 * shownPlaces;
  if (cut > 0) shown.splice(shownPlaces, cut, `${cut} more`);
  return shown.join(', ');
}
