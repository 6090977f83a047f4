import { mayList, type Selection, selectTools, tighten } from '../../environment/selection.ts';
import type { Caller } from '../../operation/context.ts';
import type { ListedTool, Listing } from './listing.ts';

/** The tools that a caller sees with a selection. */
export function visibleTools(listing: Listing, caller: Caller, selection: Selection): ListedTool[] {
  const tightened = tighten(caller, selection);
  return selectTools(listing, selection).filter((tool) => mayList(tightened, tool));
}
