import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Input } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useText } from '../../api/use-operation.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Drawing, type Place } from '../../versions/drawing.tsx';

type Run = NonNullable<Input<'draw_design'>['run']>;

/** Characters of a run in an address. Beyond about 15 KiB a server refuses the address. */
const longestRun = 12_000;

interface RunDrawingProps {
  readonly id: string;
  readonly version: number;
  /** The call to mark: places that it passed, exits that it took, and where it is. */
  readonly run: Run;
  /** The place where the call is, which has to be in sight. */
  readonly inSight?: Place | undefined;
}

/** A version, drawn with the way of a call. The drawing before stays until the next one has come. */
export function RunDrawing({ id, version, run, inSight }: RunDrawingProps) {
  return encodeURIComponent(JSON.stringify(run)).length > longestRun ? (
    <>
      <p>The call has become too long to be drawn. Its path says where it went.</p>
      <PlainDrawing id={id} version={version} />
    </>
  ) : (
    <MarkedDrawing id={id} version={version} run={run} inSight={inSight} />
  );
}

function MarkedDrawing({ id, version, run, inSight }: RunDrawingProps) {
  const { api } = useSession();
  const drawing = useQuery({
    queryKey: ['draw_design', id, version, run],
    queryFn: async ({ signal }) =>
      (await api.fetch('draw_design', { id, n: version, format: 'svg', run }, signal)).text(),
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

function PlainDrawing({ id, version }: Pick<RunDrawingProps, 'id' | 'version'>) {
  const drawing = useText('draw_design', { id, n: version, format: 'svg' });
  return (
    <QueryView query={drawing} what="the drawing">
      {(svg) => <Drawing svg={svg} label={`Version ${version}`} />}
    </QueryView>
  );
}
