import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { callText } from '../../src/platform/errors.ts';
import { VersionToRead } from '../../src/resources/conversations/schema.ts';
import { Drawing, drawingInputs, drawingProblems, drawnDesign } from '../../src/resources/playable/drawn.ts';
import { ownerIn, ownerProblems } from '../../src/resources/record/design-owner.ts';
import { drawFlow } from './draw-flow.ts';

export const drawDesign = defineTool({
  name: 'draw_design',
  title: 'Draw a design',
  description:
    'Draws a version of a design or flow. `against` colours the changes since that version, `run` the way of a call and where an expectation failed.',
  rest: {
    method: 'GET',
    path: '/v1/conversations/{id}/versions/{n}/diagram',
    from: { conversationId: 'path:id', version: 'path:n' },
    omitsInputs: ['flowId'],
  },
  input: v.strictObject({
    conversationId: v.exactOptional(ref('conversation')),
    flowId: v.exactOptional(ref('flow')),
    version: VersionToRead,
    ...drawingInputs,
  }),
  output: Drawing,
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
    covers: [drawFlow],
    shorten: (_, { conversationId, flowId, version, format }) => ({
      truncated: true,
      hint: `This design is too large for one response as ${format === 'svg' ? 'svg' : 'mermaid'}. Use format png, or ${callText('read_design', { conversationId, flowId, version, outline: true })}.`,
    }),
  },
  check: ({ conversationId, flowId, ...input }) => [
    ...ownerProblems({ conversationId, flowId }),
    ...drawingProblems(input, flowId === undefined ? 'conversation' : 'flow'),
  ],
  handler: (context, { conversationId, flowId, ...input }) =>
    drawnDesign(context, ownerIn({ conversationId, flowId }), input),
});
