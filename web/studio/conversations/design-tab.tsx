import { useText } from '../api/use-operation.ts';
import { QueryView } from '../components/query-view.tsx';
import { Drawing } from './drawing.tsx';
import type { Conversation } from './tabs.ts';
import { useVersions } from './use-versions.ts';

/** The newest version, drawn. */
export default function DesignTab({ conversation: { id } }: { conversation: Conversation }) {
  const versions = useVersions(id);
  return (
    <QueryView query={versions} what="the versions">
      {({ versions: [newest] }) => (newest ? <VersionDrawing id={id} n={newest.n} /> : null)}
    </QueryView>
  );
}

function VersionDrawing({ id, n }: { id: string; n: number }) {
  const drawing = useText('draw_design', { id, n, format: 'svg' });
  return (
    <QueryView query={drawing} what="the drawing">
      {(svg) => <Drawing svg={svg} label={`Version ${n}`} />}
    </QueryView>
  );
}
