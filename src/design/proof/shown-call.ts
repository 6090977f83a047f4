import { shortName } from '../problem.ts';
import type { Calls } from './call.ts';
import type { PathPlace } from './search.ts';

/** Places of a call that a message shows at its start and at its end. A longer call is cut in the middle. */
const shownPlaces = 6;

/** A call in a few words: the ids of its places, each with the exit by which the call leaves it. */
export function shownCall(path: readonly PathPlace[], { places }: Calls): string {
  const shown = path.map(
    ({ place, exit }) =>
      shortName(places[place]?.id ?? '') + (exit === undefined ? '' : ` (${shortName(exit)})`),
  );
  const cut = shown.length - 2 * shownPlaces;
  if (cut > 0) shown.splice(shownPlaces, cut, `${cut} more`);
  return shown.join(', ');
}
