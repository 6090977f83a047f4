import * as v from 'valibot';
import { diagramOfCalls } from '../../src/design/diagram/calls.ts';
import { diagramOf } from '../../src/design/diagram/compare.ts';
import { mermaidOf } from '../../src/design/diagram/mermaid.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { Bytes } from '../../src/operation/result.ts';
import { callText } from '../../src/platform/errors.ts';
import {
  numberOf,
  type VersionChoice,
  VersionToRead,
  versionChoice,
} from '../../src/resources/conversations/schema.ts';
import { loadDesign } from '../../src/resources/designs/stored-design.ts';
import { DrawnRun, drawnCalls, runProblems } from '../../src/resources/scenarios/drawn.ts';

const contentTypes = { svg: 'image/svg+xml', png: 'image/png' } as const;

export const drawDesign = defineTool({
  name: 'draw_design',
  title: 'Draw a design',
  description:
    'Draws a version of a design: steps, exits, hooks, the entry and unreachable steps. `against` colours what was added, changed and removed since that version, `run` the way of a call and where an expectation failed.',
  rest: {
    method: 'GET',
    path: '/v1/conversations/{id}/versions/{n}/diagram',
    from: { conversationId: 'path:id', version: 'path:n' },
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    version: VersionToRead,
    format: v.optional(
      v.pipe(
        v.picklist(['mermaid', 'svg', 'png']),
        v.description('mermaid: text; png: to look at; svg: for files.'),
      ),
      'mermaid',
    ),
    against: v.exactOptional(versionChoice('Older version to compare with.')),
    run: v.exactOptional(DrawnRun),
  }),
  output: v.strictObject({ mermaid: v.string() }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 413: ['payload_too_large'], 501: ['not_yet_supported', 'unsupported_step'] },
  results: ['bytes'],
  mcp: {
    openWorld: true,
    inputs: {
      run: {
        type: 'object',
        description:
          '{caller, mocks, variables, channel, now, expect} as in simulate_conversation, read by rule; or {scenarios: true | tag}.',
      },
    },
    app: 'design',
    shorten: (_, { conversationId, version, format }) => ({
      truncated: true,
      hint: `This design is too large for one response as ${format === 'svg' ? 'svg' : 'mermaid'}. Use format png, or ${callText('read_design', { conversationId, version, outline: true })}.`,
    }),
  },
  check: ({ against, run }) => [
    ...(against !== undefined && run !== undefined
      ? [{ path: ['against'] as const, message: 'Cannot be combined with run.' }]
      : []),
    ...(run === undefined ? [] : runProblems(run)),
  ],
  async handler(context, { conversationId, version, format, against, run }) {
    const { caller, stores, services, signal } = context;
    const load = async (choice?: VersionChoice) =>
      loadDesign(stores, conversationId, await numberOf(stores, conversationId, choice));
    const design = await load(version);
    const other = against === undefined ? undefined : await load(against);
    const calls = run && (await drawnCalls(context, conversationId, design, run));
    await services.turn(caller);
    const diagram = calls ? diagramOfCalls(design, calls) : diagramOf(design, other);
    if (format === 'mermaid') return { mermaid: mermaidOf(diagram) };
    const picture = await services.renderDiagram(caller.projectId, diagram, format, signal);
    return new Bytes(contentTypes[format], inOnePart(picture));
  },
});

async function* inOnePart(bytes: Uint8Array) {
  yield bytes;
}
