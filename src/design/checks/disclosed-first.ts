import { type Problem, problem } from '../problem.ts';
import { callsOf } from '../proof/call.ts';
import { shownCall } from '../proof/shown-call.ts';
import { undisclosedDeed } from '../proof/violations.ts';
import { shortestIn, worldsOf } from '../proof/worlds.ts';
import type { Design } from '../schema/design.ts';

/**
 * `design_invalid`: a call collects, records, lets a model speak or transfers before it has disclosed the AI. The message
 * contains the shortest such call. It prevents activation (`decisions#disclosure`).
 * @param design completed, so that its verdicts are the service's own.
 */
export function* checkDisclosedFirst(
  design: Design,
  severity: Problem['severity'] = 'error',
): Generator<Problem> {
  const found = shortestIn(worldsOf(design, callsOf(design)), (calls) => undisclosedDeed(design, calls));
  if (!found) return;
  const { violation, world } = found;
  const { calls } = world;
  const last = calls.places[violation.path.at(-1)?.place ?? -1];
  if (!last) return;
  yield problem(
    'design_invalid',
    last.at === 'step' ? ['steps', last.id] : ['hooks', last.at, 'nodes', last.id],
    `${violation.message} The shortest such call: ${shownCall(violation.path, calls)}.`,
    'Lead every call through a greeting whose introLine says that an AI speaks before it comes here: change entry or the exits on the way.',
    severity,
  );
}
