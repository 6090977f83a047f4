import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Output } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';

export type Sources = Output<'list_knowledge_sources'>;

/** Milliseconds between two looks while a source is indexed. */
const interval = 2_000;
/** Milliseconds after which nobody seems to be looking any more. */
const longestWatch = 10 * 60_000;

/**
 * The sources of a knowledge base. While one of them is indexed, they are read every two seconds, for ten minutes,
 * and not while the tab is hidden.
 */
export function useSources(
  kbId: string,
  cursor: string | undefined,
): {
  readonly sources: UseQueryResult<Sources>;
  readonly watchAgain: () => void;
  readonly isWatched: boolean;
} {
  const { api } = useSession();
  const [since, setSince] = useState(Date.now);
  const isInTime = () => Date.now() - since < longestWatch;
  const sources = useQuery({
    queryKey: ['list_knowledge_sources', kbId, cursor],
    queryFn: ({ signal }) =>
      api.call(
        'list_knowledge_sources',
        { kbId, limit: 25, ...(cursor !== undefined && { cursor }) },
        signal,
      ),
    refetchInterval: ({ state: { data } }) => (isIndexing(data) && isInTime() ? interval : false),
  });
  return {
    sources,
    isWatched: isInTime(),
    watchAgain: () => {
      setSince(Date.now());
      void sources.refetch();
    },
  };
}

/** Whether a source of the list is being indexed. */
export function isIndexing(data: Sources | undefined): boolean {
  return data?.sources.some(({ indexingStatus }) => indexingStatus === 'inProgress') ?? false;
}
