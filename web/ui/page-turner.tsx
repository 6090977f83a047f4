import { useState } from 'react';
import { Button } from './button.tsx';
import classes from './page-turner.module.css';

/** The pages of a list, each found by the cursor that the one before returned. */
export interface Paging {
  readonly cursor: string | undefined;
  readonly hasEarlier: boolean;
  readonly earlier: () => void;
  readonly later: (cursor: string) => void;
}

/** Starts at the first page. */
export function usePaging(): Paging {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  return {
    cursor: cursors.at(-1),
    hasEarlier: cursors.length > 0,
    earlier: () => setCursors(cursors.slice(0, -1)),
    later: (cursor) => setCursors([...cursors, cursor]),
  };
}

/** Leads to the other pages of a list. Shows nothing if there is only one. */
export function PageTurner({ paging, next }: { paging: Paging; next: string | undefined }) {
  if (!paging.hasEarlier && next === undefined) return null;
  return (
    <nav className={classes.turner} aria-label="Pages">
      <Button
        size="small"
        refusal={paging.hasEarlier ? undefined : 'This is the first page.'}
        onClick={paging.earlier}
      >
        Newer
      </Button>
      <Button
        size="small"
        refusal={next === undefined ? 'This is the last page.' : undefined}
        onClick={() => next !== undefined && paging.later(next)}
      >
        Older
      </Button>
    </nav>
  );
}
