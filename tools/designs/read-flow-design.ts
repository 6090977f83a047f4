import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { VersionToRead } from '../../src/resources/conversations/schema.ts';
import {
  partsOfDesign,
  ReadFlowDesign,
  readFlow,
  readingInputs,
  readingProblems,
} from '../../src/resources/playable/read.ts';

export const readFlowDesign = defineTool({
  name: 'read_flow_design',
  title: 'Read the design of a flow',
  description:
    'Reads the design that a version of a flow becomes: from which part of the flow each step comes, and what has no meaning. Over MCP, read_design with flowId does this.',
  rest: { method: 'GET', path: '/v1/flows/{flowId}/versions/{version}/design' },
  input: v.strictObject({ flowId: ref('flow'), version: VersionToRead, ...readingInputs }),
  output: v.union([ReadFlowDesign, ...partsOfDesign]),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 501: ['not_yet_supported'] },
  check: (input) => readingProblems(input),
  handler: ({ stores }, { flowId, version, ...parts }) => readFlow(stores, flowId, version, parts),
});
