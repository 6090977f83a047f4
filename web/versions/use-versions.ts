import type { UseQueryResult } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import type { Output } from '../api/client.ts';
import type { Design } from '../api/operations.ts';
import { useOperation } from '../api/use-operation.ts';

export type Version = Output<'list_conversation_versions'>['versions'][number];

/** The newest hundred versions of a conversation, with who made them. */
export function useVersions(id: string) {
  return useOperation('list_conversation_versions', { id, limit: 100, details: true });
}

/** The design of a version. REST returns it alone if the request asks for nothing less. */
export function useDesign(id: string, n: number): UseQueryResult<Design> {
  return useOperation('read_design', { id, n }) as UseQueryResult<Design>;
}

/** A version that the address of the page names, such as `?version=3`; undefined if it names none. */
export function useVersionInAddress(
  name: string,
): readonly [n: number | undefined, choose: (n: number) => void] {
  const [parameters, setParameters] = useSearchParams();
  const n = Number(parameters.get(name));
  const choose = (chosen: number) =>
    setParameters((now) => {
      const next = new URLSearchParams(now);
      next.set(name, String(chosen));
      return next;
    });
  return [Number.isSafeInteger(n) && n > 0 ? n : undefined, choose];
}

/** The tag that somebody has given to a version; undefined for the tag that every version has. */
export function ownTag({ n, tag }: Pick<Version, 'n' | 'tag'>): string | undefined {
  return tag === `v${n}` ? undefined : tag;
}
