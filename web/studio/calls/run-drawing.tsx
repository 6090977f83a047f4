import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Input } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Drawing, type Place } from '../../versions/drawing.tsx';
import type { Played } from './played.ts';

type Run = NonNullable<Input<'draw_design'>['run']>;

/** Characters of a run in an address. Beyond about 15 KiB a server refuses the address. */
const longestRun = 12_000;

interface RunDrawingProps {
  readonly of: Played;
  readonly version: number;
  /** The call to mark: places that it passed, exits that it took, and where it is. */
  readonly run: Run;
  /** The place where the call is, which has to be in sight. */
  readonly inSight?: Place | undefined;
}

/** A version, drawn with the way of a call. The drawing before stays until the next one has come. */
export function RunDrawing({ of, version, run, inSight }: RunDrawingProps) {
  return encodeURIComponent(JSON.stringify(run)).length > longestRun ? (
    <>
      <p>The call has become too long to be drawn. Its path says where it went.</p>
      <PlainDrawing of={of} version={version} />
    </>
  ) : (
    <MarkedDrawing of={of} version={version} run={run} inSight={inSight} />
  );
}

function MarkedDrawing({ of, version, run, inSight }: RunDrawingProps) {
  const { api } = useSession();
  const drawing = useQuery({
    queryKey: [of.kind === 'flow' ? 'draw_flow' : 'draw_design', of.id, version, run],
    queryFn: async ({ signal }) => (await drawn(api, of, version, { run, signal })).text(),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryView query={drawing} what="the drawing">
      {(svg) => (
        <Drawing
          svg={svg}
          inSight={inSight}
          label={`Version ${version} with the way of the call. The path says the same in words.`}
        />
      )}
    </QueryView>
  );
}

/** A drawing of a version as SVG. */
function drawn(
  api: ReturnType<typeof useSession>['api'],
  { kind, id }: Played,
  version: number,
  { run, signal }: { readonly run?: Run; readonly signal: AbortSignal },
): Promise<Response> {
  const drawing = { format: 'svg' as const, ...(run && { run }) };
  return kind === 'flow'
    ? api.fetch('draw_flow', { flowId: id, version, ...drawing }, signal)
    : api.fetch('draw_design', { id, n: version, ...drawing }, signal);
}

/** Reads the drawing of a version. */
export function useDrawing(of: Played, version: number): UseQueryResult<string> {
  const { api } = useSession();
  return useQuery({
    queryKey: [of.kind === 'flow' ? 'draw_flow' : 'draw_design', of.id, version],
    queryFn: async ({ signal }) => (await drawn(api, of, version, { signal })).text(),
  });
}

function PlainDrawing({ of, version }: Pick<RunDrawingProps, 'of' | 'version'>) {
  const drawing = useDrawing(of, version);
  return (
    <QueryView query={drawing} what="the drawing">
      {(svg) => <Drawing svg={svg} label={`Version ${version}`} />}
    </QueryView>
  );
}
