import { type Problem, problem, shortName } from '../problem.ts';
import { type Calls, callsOf } from '../proof/call.ts';
import { undisclosedDeed, type Violation } from '../proof/violations.ts';
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
  const calls = callsOf(design);
  const violation = undisclosedDeed(design, calls);
  const last = calls.places[violation?.path.at(-1)?.place ?? -1];
  if (!violation || !last) return;
  yield problem(
    'design_invalid',
    last.at === 'step' ? ['steps', last.id] : ['hooks', last.at, 'nodes', last.id],
    `${violation.message} The shortest such call: ${shownCall(violation, calls)}.`,
    'Lead every call through a greeting whose introLine says that an AI speaks before it comes here: change entry or the exits on the way.',
    severity,
  );
}

function shownCall({ path }: Violation, { places }: Calls): string {
  const shown = path.map(
    ({ place, exit }) =>
      shortName(places[place]?.id ?? '') + (exit === undefined ? '' : ` (${shortName(exit)})`),
  );
  const cut = shown.length - 2 * shownPlaces;
  if (cut > 0) shown.splice(shownPlaces, cut, `${cut} more`);
  return shown.join(', ');
}
