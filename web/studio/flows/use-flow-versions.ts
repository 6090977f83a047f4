import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Output } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { type Authored, authorsSince } from '../../versions/rejection.ts';

export type FlowVersion = Output<'list_flow_versions'>['versions'][number];

/** The versions of a flow that matter most. */
export interface CurrentVersions {
  readonly newest: FlowVersion;
  /** Undefined if it is older than the newest hundred, or if there is none. */
  readonly live: FlowVersion | undefined;
  /** Who made which version, from the newest to the live one. */
  readonly authored: readonly Authored[];
}

/** What a tab shows: the flow, its newest version and the live one. */
export interface FlowTabProps extends CurrentVersions {
  readonly flow: Output<'get_flow'>;
}

/** Each version comes with its configuration, so pages are short. */
const versionsOnAPage = 10;
const mostPages = 10;

/** Reads the newest version of a flow, and back to the live one. */
export function useCurrentVersions(flowId: string): UseQueryResult<CurrentVersions> {
  const { api } = useSession();
  return useQuery({
    queryKey: ['list_flow_versions', flowId, 'current'],
    queryFn: async ({ signal }) => {
      let newest: FlowVersion | undefined;
      const authored: Authored[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < mostPages; page++) {
        const { versions, nextCursor } = await api.call(
          'list_flow_versions',
          { flowId, limit: versionsOnAPage, details: true, ...(cursor !== undefined && { cursor }) },
          signal,
        );
        newest ??= versions[0];
        authored.push(...versions.map(({ version, author }) => ({ number: version, author })));
        const live = versions.find(({ isActive }) => isActive);
        if (newest && (live || nextCursor === undefined)) return { newest, live, authored };
        cursor = nextCursor;
      }
      if (!newest) throw new Error('This flow has no versions.');
      return { newest, live: undefined, authored };
    },
  });
}

/** Who made the versions since the live one. */
export function currentAuthors({ authored, live, newest }: CurrentVersions): string[] {
  return authorsSince(authored, live?.version, newest.version);
}
