import * as v from 'valibot';
import { builtInProperties, Property } from '../../src/design/proof/properties.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { namesOfOneDesign, proveLive } from '../../src/resources/designs/live-proof.ts';
import {
  maximumProperties,
  PropertiesToProve,
  proofProblems,
  selectorProblems,
  VersionsToProve,
} from '../../src/resources/designs/proof-input.ts';
import { briefProof, ProvedVersions } from '../../src/resources/designs/proof-result.ts';
import { proveVersions } from '../../src/resources/designs/version-proof.ts';
import { proveLiveDesigns } from './prove-live-designs.ts';

/** A short schema for MCP. Four full place selectors would cost every client 700 tokens. */
const place = (description: string) => ({ type: 'object', description });

const propertiesOnMcp = {
  type: 'array',
  minItems: 1,
  maxItems: maximumProperties,
  description:
    'Default: those without a place. A place is {step}, {hookNode}, {kind} of step or {action} of hook node.',
  items: {
    type: 'object',
    properties: {
      property: {
        enum: Property.options.map(({ entries }) => entries.property.literal),
        description:
          'alwaysBefore takes always and before; neverAfter takes never and after. disclosedFirst covers transfers too.',
      },
      always: place('Place every call has passed'),
      before: place('when it comes here.'),
      never: place('Place no call comes to'),
      after: place('once it was here.'),
      variable: { type: 'string', description: 'For asksOnce: id of the only variable.' },
    },
    required: ['property'],
  },
};

export const proveDesign = defineTool({
  name: 'prove_design',
  title: 'Prove a design',
  description:
    'Proves properties of every possible call through a design, or returns the shortest call that breaks one: calls end, ask nothing twice, disclose the AI first, have consent before a transcript. Without conversationId: of all live flows and conversations.',
  rest: { method: 'POST', path: '/v1/conversations/{id}/designs/prove', from: { conversationId: 'path:id' } },
  input: v.strictObject({
    conversationId: v.exactOptional(ref('conversation')),
    version: VersionsToProve,
    properties: PropertiesToProve,
  }),
  output: ProvedVersions,
  mcp: {
    inputs: { properties: propertiesOnMcp },
    outputSchema: false,
    mayBecomeTask: true,
    covers: [proveLiveDesigns],
    brief: (result) => briefProof(result as ProvedVersions),
  },
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 501: ['not_yet_supported', 'unsupported_step'] },
  check: ({ conversationId, version, properties = [] }) => [
    ...selectorProblems(properties),
    ...proofProblems(version, properties),
    ...(conversationId === undefined ? namesOfOneDesign(properties) : []),
    ...(conversationId === undefined && version !== undefined
      ? [{ path: ['version'] as const, message: 'Can be combined with conversationId only.' }]
      : []),
  ],
  handler: (context, { conversationId, version, properties = builtInProperties }) =>
    conversationId === undefined
      ? proveLive(context, properties)
      : proveVersions(context, { conversationId, version, properties }),
});
