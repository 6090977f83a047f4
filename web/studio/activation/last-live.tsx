import type { Output } from '../../api/client.ts';
import { Time } from '../../ui/time.tsx';

type FlowVersion = Output<'list_flow_versions'>['versions'][number];

/** When a version was live: since when, until when, or never. */
export function LastLive({ isActive, liveAt, live }: Pick<FlowVersion, 'isActive' | 'liveAt' | 'live'>) {
  const until = live?.[0]?.until;
  if (isActive)
    return liveAt ? (
      <>
        since <Time value={liveAt} />
      </>
    ) : (
      'live now'
    );
  if (until)
    return (
      <>
        was live until <Time value={until} />
      </>
    );
  return liveAt ? <Time value={liveAt} /> : 'never';
}
