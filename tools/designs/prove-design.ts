import * as v from 'valibot';
import { builtInProperties, type PlaceSelector, Property } from '../../src/design/proof/properties.ts';
import { prove } from '../../src/design/proof/prove.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { callText, type Issue, invalidRequest, jsonPointer } from '../../src/errors.ts';
import { numberOf, VersionNumber, VersionToRead } from '../../src/resources/conversations/schema.ts';
import { LiveProof, namesOfOneDesign, proveLive } from '../../src/resources/designs/live-proof.ts';
import {
  maximumProperties,
  PropertiesToProve,
  selectorProblems,
} from '../../src/resources/designs/proof-input.ts';
import { loadDesign } from '../../src/resources/designs/stored-design.ts';
import { defineTool } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';
import { proveLiveDesigns } from './prove-live-designs.ts';

/** What a proof of the whole project has instead of a version and its proofs. */
const { holds: _, ...ofWholeProject } = LiveProof.entries;
const ofProject = v.partial(v.strictObject(ofWholeProject)).entries;

const Exit = v.strictObject({
  at: v.pipe(v.picklist(['step', 'before', 'after']), v.description('step, or the hook that has the node.')),
  id: v.string(),
  exit: v.pipe(v.nullable(v.string()), v.description('The exit that the call takes; null at the end.')),
});

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
    version: VersionToRead,
    properties: PropertiesToProve,
  }),
  output: v.strictObject({
    version: v.exactOptional(VersionNumber),
    holds: v.pipe(v.boolean(), v.description('Every property holds.')),
    proofs: v.exactOptional(
      v.array(
        v.strictObject({
          property: Property,
          holds: v.boolean(),
          message: v.string(),
          counterexample: v.pipe(
            v.nullable(v.array(Exit)),
            v.description('The shortest call that breaks it; null if it holds.'),
          ),
        }),
      ),
    ),
    ...ofProject,
  }),
  mcp: {
    inputs: { properties: propertiesOnMcp },
    outputSchema: false,
    mayBecomeTask: true,
    covers: [proveLiveDesigns],
    adds: Object.keys(ofProject),
    lacks: ['version', 'proofs'],
  },
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 501: ['not_yet_supported', 'unsupported_step'] },
  check: ({ conversationId, version, properties = [] }) => [
    ...selectorProblems(properties),
    ...(conversationId === undefined ? namesOfOneDesign(properties) : []),
    ...(conversationId === undefined && version !== undefined
      ? [{ path: ['version'] as const, message: 'Can be combined with conversationId only.' }]
      : []),
  ],
  async handler(context, { conversationId, version, properties = builtInProperties }) {
    if (conversationId === undefined) return proveLive(context, properties);
    const { caller, stores, services } = context;
    const n = await numberOf(stores, conversationId, version);
    const design = await loadDesign(stores, conversationId, n);
    await services.turn(caller);
    refuseUnknownNames(
      design,
      properties,
      callText('read_design', { conversationId, version: n, outline: true }),
    );
    const proofs = prove(design, properties);
    return { version: n, holds: proofs.every(({ holds }) => holds), proofs };
  },
});

/**
 * A property about an unknown id would hold for no reason.
 * @throws ToolError `invalid_request`
 */
function refuseUnknownNames(design: Design, properties: readonly Property[], outline: string): void {
  const nodes = [design.hooks?.before, design.hooks?.after].flatMap((hook) => Object.keys(hook?.nodes ?? {}));
  const known: Readonly<Record<string, { what: string; ids: ReadonlySet<string> }>> = {
    step: { what: 'step', ids: new Set(Object.keys(design.steps)) },
    hookNode: { what: 'hook node', ids: new Set(nodes) },
    variable: { what: 'variable', ids: new Set(design.variables?.map(({ id }) => id)) },
  };
  const issues = properties.flatMap((property, index) =>
    namesIn(property).flatMap(({ path, member, id }): Issue[] => {
      const kind = known[member];
      if (!kind || kind.ids.has(id)) return [];
      const message = `There is no ${kind.what} ${JSON.stringify(id)} in this version.`;
      return [{ in: 'body', path: jsonPointer(['properties', index, ...path]), message }];
    }),
  );
  const [first, ...more] = issues;
  if (first) throw invalidRequest([first, ...more], { hint: `${outline} shows the ids.` });
}

function namesIn(property: Property): { path: string[]; member: string; id: string }[] {
  return Object.entries<string | PlaceSelector>(property).flatMap(([member, value]) =>
    typeof value === 'string'
      ? [{ path: [member], member, id: value }]
      : Object.entries<string>(value).map(([inner, id]) => ({ path: [member, inner], member: inner, id })),
  );
}
