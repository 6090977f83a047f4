import * as v from 'valibot';
import { drawingOf } from '../../src/design/drawing/compare.ts';
import { mermaidOf } from '../../src/design/drawing/mermaid.ts';
import { VersionNumber } from '../../src/resources/conversations/schema.ts';
import { designOf } from '../../src/resources/designs/version.ts';
import { defineTool } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';
import { Bytes } from '../../src/tool/result.ts';

const contentTypes = { svg: 'image/svg+xml', png: 'image/png' } as const;

export const drawDesign = defineTool({
  name: 'draw_design',
  title: 'Draw a design',
  description:
    'Draws version n: steps, exits, hooks, the entry, what is unreachable. With `against`, what was added, changed and removed since that version, in colour.',
  rest: {
    method: 'GET',
    path: '/v1/conversations/{id}/versions/{n}/diagram',
    from: { conversationId: 'path:id', n: 'path', format: 'query', against: 'query' },
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    n: VersionNumber,
    format: v.optional(
      v.pipe(v.picklist(['mermaid', 'svg', 'png']), v.description('png: a picture; svg: for files.')),
      'mermaid',
    ),
    against: v.exactOptional(v.pipe(VersionNumber, v.description('Compare with this version.'))),
  }),
  output: v.strictObject({ mermaid: v.string() }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  results: ['bytes'],
  mcp: {
    shorten: (_, { format }) => ({
      truncated: true,
      hint: `This design is too large for ${format === 'svg' ? 'svg' : 'mermaid'} in one answer: format png draws it, read_design with outline lists it.`,
    }),
  },
  async handler({ stores, services, signal }, { conversationId, n, format, against }) {
    const design = await designOf(stores, conversationId, n);
    const other = against === undefined ? undefined : await designOf(stores, conversationId, against);
    const drawing = drawingOf(design, other);
    if (format === 'mermaid') return { mermaid: mermaidOf(drawing) };
    const picture = await services.drawPicture(drawing, format, signal);
    return new Bytes(contentTypes[format], inOnePart(picture));
  },
});

async function* inOnePart(bytes: Uint8Array) {
  yield bytes;
}
