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
import { proved } from '../../src/resources/playable/proved.ts';
import { ownerIn, ownerProblems } from '../../src/resources/record/design-owner.ts';
import { proveFlow } from './prove-flow.ts';
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
    'Proves properties of every call through a design or flow, or returns the shortest that breaks one. Without an id: of all that is live.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/designs/prove',
    from: { conversationId: 'path:id' },
    omitsInputs: ['flowId'],
  },
  input: v.strictObject({
    conversationId: v.exactOptional(ref('conversation')),
    flowId: v.exactOptional(ref('flow')),
    version: VersionsToProve,
    properties: PropertiesToProve,
  }),
  output: ProvedVersions,
  mcp: {
    inputs: { properties: propertiesOnMcp },
    outputSchema: false,
    mayBecomeTask: true,
    covers: [proveLiveDesigns, proveFlow],
    brief: (result) => briefProof(result as ProvedVersions),
  },
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 501: ['not_yet_supported', 'unsupported_step'] },
  check: ({ conversationId, flowId, version, properties = [] }) => {
    const isOfAll = conversationId === undefined && flowId === undefined;
    return [
      ...selectorProblems(properties),
      ...proofProblems(version, properties),
      ...(isOfAll ? namesOfOneDesign(properties) : ownerProblems({ conversationId, flowId })),
      ...(isOfAll && version !== undefined
        ? [{ path: ['version'] as const, message: 'Can be combined with conversationId or flowId only.' }]
        : []),
    ];
  },
  handler: (context, { conversationId, flowId, version, properties = builtInProperties }) =>
    conversationId === undefined && flowId === undefined
      ? proveLive(context, properties)
      : proved(context, ownerIn({ conversationId, flowId }), version, properties),
});
