import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { VersionToRead } from '../../src/resources/conversations/schema.ts';
import { Drawing, drawingInputs, drawingProblems, drawnDesign } from '../../src/resources/playable/drawn.ts';

export const drawFlow = defineTool({
  name: 'draw_flow',
  title: 'Draw a flow',
  description:
    'Draws the design that a version of a flow becomes, like draw_design. Over MCP, draw_design with flowId does this.',
  rest: { method: 'GET', path: '/v1/flows/{flowId}/versions/{version}/diagram' },
  input: v.strictObject({ flowId: ref('flow'), version: VersionToRead, ...drawingInputs }),
  output: Drawing,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 413: ['payload_too_large'], 501: ['not_yet_supported'] },
  results: ['bytes'],
  check: (input) => drawingProblems(input, 'flow'),
  handler: (context, { flowId, ...input }) => drawnDesign(context, { flowId }, input),
});
