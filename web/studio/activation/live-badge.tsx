import { Badge } from '../../ui/badge.tsx';
import { useIsUnreachable } from '../../versions/use-entrances.ts';

interface LiveBadgeProps {
  /** The flow or conversation. */
  readonly id: string;
  /** Undefined if the place of the badge says it. */
  readonly version?: number | undefined;
}

/** Says that a version is live, and whether anything leads to it. */
export function LiveBadge({ id, version }: LiveBadgeProps) {
  const isUnreachable = useIsUnreachable(id);
  return (
    <Badge tone={isUnreachable ? 'plain' : 'good'}>
      {version !== undefined && `v${version} `}live{isUnreachable && ', no callers yet'}
    </Badge>
  );
}
