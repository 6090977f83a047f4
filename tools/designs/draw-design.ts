import * as v from 'valibot';
import { diagramOf } from '../../src/design/diagram/compare.ts';
import { mermaidOf } from '../../src/design/diagram/mermaid.ts';
import { VersionNumber } from '../../src/resources/conversations/schema.ts';
import { loadDesign } from '../../src/resources/designs/stored-design.ts';
import { defineTool } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';
import { Bytes } from '../../src/tool/result.ts';

const contentTypes = { svg: 'image/svg+xml', png: 'image/png' } as const;

export const drawDesign = defineTool({
  name: 'draw_design',
  title: 'Draw a design',
  description:
    'Draws version n of a design: steps, exits, hooks, the entry and unreachable steps. With `against`, it also colours what was added, changed and removed since that version. list_conversation_versions shows n.',
  rest: {
    method: 'GET',
    path: '/v1/conversations/{id}/versions/{n}/diagram',
    from: { conversationId: 'path:id' },
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    n: VersionNumber,
    format: v.optional(
      v.pipe(
        v.picklist(['mermaid', 'svg', 'png']),
        v.description('mermaid: text; png: to look at; svg: for files.'),
      ),
      'mermaid',
    ),
    against: v.exactOptional(v.pipe(VersionNumber, v.description('Older version to compare with.'))),
  }),
  output: v.strictObject({ mermaid: v.string() }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 413: ['payload_too_large'], 501: ['not_yet_supported', 'unsupported_step'] },
  results: ['bytes'],
  mcp: {
    shorten: (_, { format }) => ({
      truncated: true,
      hint: `This design is too large for one response as ${format === 'svg' ? 'svg' : 'mermaid'}. Use format png, or read_design with outline.`,
    }),
  },
  async handler({ caller, stores, services, signal }, { conversationId, n, format, against }) {
    const design = await loadDesign(stores, conversationId, n);
    const other = against === undefined ? undefined : await loadDesign(stores, conversationId, against);
    await services.turn(caller);
    const diagram = diagramOf(design, other);
    if (format === 'mermaid') return { mermaid: mermaidOf(diagram) };
    const picture = await services.renderDiagram(caller.projectId, diagram, format, signal);
    return new Bytes(contentTypes[format], inOnePart(picture));
  },
});

async function* inOnePart(bytes: Uint8Array) {
  yield bytes;
}
