import * as v from 'valibot';
import { builtInProperties, PlaceSelector, Property } from '../../src/design/proof/properties.ts';
import { prove } from '../../src/design/proof/prove.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { type Issue, invalidRequest, jsonPointer } from '../../src/errors.ts';
import { VersionNumber } from '../../src/resources/conversations/schema.ts';
import { designOf } from '../../src/resources/designs/version.ts';
import type { Stores } from '../../src/store/stores.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';

const maximumProperties = 50;

const Exit = v.strictObject({
  at: v.pipe(v.picklist(['step', 'before', 'after']), v.description('A step, or a node of this hook.')),
  id: v.string(),
  exit: v.pipe(v.nullable(v.string()), v.description('How the call goes on; null at the end.')),
});

/** How MCP shows a place: each place in full, four times, would cost every client 700 tokens. */
const place = (what: string) => ({
  type: 'object',
  description: `${what}: {step}, {hookNode}, {kind} of step or {action} of hook node.`,
});

const propertiesOnMcp = {
  type: 'array',
  minItems: 1,
  maxItems: maximumProperties,
  description: 'What to prove.',
  items: {
    type: 'object',
    properties: {
      property: {
        enum: Property.options.map(({ entries }) => entries.property.literal),
        description: 'alwaysBefore takes always and before; neverAfter takes never and after.',
      },
      always: place('Comes first'),
      before: place('What it comes before'),
      never: place('What must not come'),
      after: place('After this'),
      variable: { type: 'string', description: 'For asksOnce: only this variable, by its id.' },
    },
    required: ['property'],
  },
};

export const proveDesign = defineTool({
  name: 'prove_design',
  title: 'Prove a design',
  description:
    'Proves of every call through a design that it has a property, or answers the shortest call that has not. Without properties: it ends, asks for nothing twice, discloses the AI before it collects, has consent before a transcript.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/designs/prove',
    from: { conversationId: 'path:id', version: 'body', properties: 'body' },
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    version: v.exactOptional(v.pipe(VersionNumber, v.description('Default the newest.'))),
    properties: v.exactOptional(
      v.pipe(
        v.array(Property),
        v.minLength(1),
        v.maxLength(maximumProperties),
        v.description('What to prove.'),
      ),
    ),
  }),
  output: v.strictObject({
    version: VersionNumber,
    holds: v.pipe(v.boolean(), v.description('Every property holds.')),
    proofs: v.array(
      v.strictObject({
        property: Property,
        holds: v.boolean(),
        message: v.string(),
        counterexample: v.pipe(
          v.nullable(v.array(Exit)),
          v.description('The shortest call that breaks it; null where it holds.'),
        ),
      }),
    ),
  }),
  mcp: { inputs: { properties: propertiesOnMcp } },
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  check: ({ properties = [] }) =>
    properties.flatMap((property, index) =>
      Object.entries<string | PlaceSelector>(property).flatMap(([member, value]) =>
        typeof value === 'object' && Object.keys(value).length !== 1
          ? [
              {
                path: ['properties', index, member],
                message: `Expected exactly one of ${Object.keys(PlaceSelector.entries).join(', ')}.`,
              },
            ]
          : [],
      ),
    ),
  async handler({ stores }, { conversationId, version, properties = builtInProperties }) {
    const n = version ?? (await newestNumber(stores, conversationId));
    const design = await designOf(stores, conversationId, n);
    refuseUnknownNames(design, properties);
    const proofs = prove(design, properties);
    return { version: n, holds: proofs.every(({ holds }) => holds), proofs };
  },
});

async function newestNumber(stores: Stores, conversationId: string): Promise<number> {
  const conversation = await stores.conversations.findNumbered(conversationId);
  return found(conversation, 'conversation', conversationId).newestVersion;
}

/** @throws ToolError `invalid_request` where a property names what the design does not have: it would hold for nothing. */
function refuseUnknownNames(design: Design, properties: readonly Property[]): void {
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
  if (first) throw invalidRequest([first, ...more], { hint: 'read_design with outline shows the ids.' });
}

function namesIn(property: Property): { path: string[]; member: string; id: string }[] {
  return Object.entries<string | PlaceSelector>(property).flatMap(([member, value]) =>
    typeof value === 'string'
      ? [{ path: [member], member, id: value }]
      : Object.entries<string>(value).map(([inner, id]) => ({ path: [member, inner], member: inner, id })),
  );
}
