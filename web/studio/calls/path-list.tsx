import type { Design } from '../../api/operations.ts';
import { Badge } from '../../ui/badge.tsx';
import classes from './facts.module.css';
import { exitName, hookPhase, type PathEntry, placeName } from './played-call.ts';

/** The way of a call: each place, the exit that it took, and why. */
export function PathList({
  design,
  path,
  isOver,
}: {
  design: Design;
  path: readonly PathEntry[];
  isOver: boolean;
}) {
  return (
    <ol className={classes.list}>
      {path.map((entry, index) => {
        const isHere = index === path.length - 1 && !isOver;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a call passes a place more than once, and a path only grows
          <li key={index} aria-current={isHere ? 'step' : undefined}>
            <bdi className={classes.name}>{placeName(design, entry)}</bdi>{' '}
            {entry.hookNode !== undefined && <Badge>{hookPhase(design, entry.hookNode)}</Badge>}{' '}
            {isHere && <Badge tone="accent">here</Badge>}
            {entry.exit !== null && (
              <span className={classes.muted}>
                {' '}
                → <bdi>{exitName(design, entry)}</bdi>
                {entry.why !== null && entry.why !== entry.exit && (
                  <>
                    : <bdi>{entry.why}</bdi>
                  </>
                )}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
