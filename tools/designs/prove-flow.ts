import * as v from 'valibot';
import { builtInProperties } from '../../src/design/proof/properties.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import {
  PropertiesToProve,
  proofProblems,
  selectorProblems,
  VersionsToProve,
} from '../../src/resources/designs/proof-input.ts';
import { ProvedVersions } from '../../src/resources/designs/proof-result.ts';
import { proved } from '../../src/resources/playable/proved.ts';

export const proveFlow = defineTool({
  name: 'prove_flow',
  title: 'Prove a flow',
  description:
    'Proves properties of every possible call through the design that a flow becomes. Over MCP, prove_design with flowId does this.',
  rest: { method: 'POST', path: '/v1/flows/{flowId}/designs/prove' },
  input: v.strictObject({ flowId: ref('flow'), version: VersionsToProve, properties: PropertiesToProve }),
  output: ProvedVersions,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  check: ({ version, properties = [] }) => [
    ...selectorProblems(properties),
    ...proofProblems(version, properties),
  ],
  handler: (context, { flowId, version, properties = builtInProperties }) =>
    proved(context, { flowId }, version, properties),
});
