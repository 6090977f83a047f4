import * as v from 'valibot';
import { blockExamples, stepExamples } from '../../src/design/examples.ts';
import { Design } from '../../src/design/schema/design.ts';
import { actionBlocks, Hooks } from '../../src/design/schema/hooks.ts';
import { Step, stepKinds } from '../../src/design/schema/steps.ts';
import { shortForm } from '../../src/design/short-form.ts';
import { starterDesign } from '../../src/design/starter.ts';
import { systemVariableNames, systemVariables } from '../../src/design/system-variables.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { jsonSchemaOf } from '../../src/operation/json-schema.ts';
import type { JsonObject } from '../../src/operation/result.ts';

const steps = Object.keys(stepKinds) as (keyof typeof stepKinds)[];
const blocks = Object.keys(actionBlocks) as (keyof typeof actionBlocks)[];
const shortKinds = ['frame', 'hooks', 'variables', ...steps, ...blocks] as const;
const kinds = [...shortKinds, 'all'] as const;
type Kind = (typeof kinds)[number];

/** Replaces the schema of a part that has its own kind. */
const elsewhere = (kind: string) => ({
  type: 'object',
  description: `See describe_design with kind ${kind}.`,
});
const parts = new Map<v.GenericSchema, JsonObject>([
  [
    Step,
    {
      type: 'object',
      properties: { kind: { enum: steps } },
      required: ['kind'],
      description: 'See describe_design with that kind.',
    },
  ],
  [Hooks, elsewhere('hooks')],
  ...blocks.map((block) => [actionBlocks[block], elsewhere(block)] as const),
]);

const shortParts = new Map<unknown, string>([
  [Step, 'a step (describe_design with its kind)'],
  [Hooks, 'see kind hooks'],
  ...blocks.map((block) => [actionBlocks[block], `see kind ${block}`] as const),
]);

const hooksExample = {
  commands: {
    person: { next: { step: 'toReception' } },
    stop: { next: { step: 'goodbye' } },
    human: { line: 'I am an AI assistant, not a human.' },
    repeat: {},
  },
  before: { rootNodeId: 'mark', nodes: { mark: { id: 'mark', next: { step: 'greeting' } } } },
  after: { entryPoints: { goodbye: 'notify' }, nodes: { notify: blockExamples.webhook } },
};

const variablesExample = { variables: [{ id: 'callerName', name: 'Name of the caller', type: 'text' }] };

const kindsDescription = 'Several parts, in short.';

export const describeDesign = defineTool({
  name: 'describe_design',
  title: 'Describe the design format',
  description:
    'Returns the JSON Schema of a part of the design format cd/1 with an example: the frame, hooks, a step kind or an action block (all is long). Call it before write_design or edit_design.',
  rest: { method: 'GET', path: '/v1/designs/schema' },
  input: v.strictObject({
    kind: v.optional(v.pipe(v.picklist(kinds), v.description('One part, in full.')), 'frame'),
    kinds: v.exactOptional(
      v.pipe(
        v.array(v.picklist(shortKinds)),
        v.minLength(1),
        v.maxLength(shortKinds.length),
        v.description(kindsDescription),
      ),
    ),
  }),
  output: v.union([
    v.strictObject({
      kind: v.picklist(kinds),
      schema: v.record(v.string(), v.unknown()),
      example: v.record(v.string(), v.unknown()),
      kinds: v.strictObject({ steps: v.array(v.string()), blocks: v.array(v.string()) }),
    }),
    v.strictObject({
      forms: v.record(
        v.string(),
        v.strictObject({ form: v.string(), example: v.record(v.string(), v.unknown()) }),
      ),
    }),
  ]),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: {
    outputSchema: false,
    inputs: {
      kinds: { type: 'array', items: { type: 'string' }, description: kindsDescription },
    },
    resource: {
      uri: 'parley://schemas/cd-1',
      name: 'cd-1',
      title: 'The cd/1 format',
      description: 'JSON Schema of designs, with an example of each step kind and action block.',
      input: { kind: 'all' },
    },
  },
  async handler({ services }, { kind, kinds: several }) {
    if (several)
      return {
        forms: Object.fromEntries(
          several.map((one) => [one, { form: formOf(one), example: { ...exampleOf(one) } }]),
        ),
      };
    const models = kind === 'answer' && { 'x-models': services.chatModels.names };
    return {
      kind,
      schema: { ...schemaOf(kind), ...models },
      example: { ...exampleOf(kind) },
      kinds: { steps, blocks },
    };
  },
});

/** A part in one line. Texts name values as in `schemaOf`. */
function formOf(kind: (typeof shortKinds)[number]): string {
  if (kind === 'frame') return shortForm(Design, shortParts);
  if (kind === 'hooks') return shortForm(v.strictObject(Hooks.entries), shortParts);
  if (kind === 'variables')
    return `${shortForm(v.pick(Design, ['variables']), shortParts)}. Texts may contain {{id}} of a variable, or {{name}} of a system variable: ${systemVariableNames.join(', ')}.`;
  // A copy, because the parts replace the schema itself.
  const form = shortForm({ ...(isBlock(kind) ? actionBlocks[kind] : stepKinds[kind]) }, shortParts);
  return isBlock(kind) ? `${form} (Part of a node of hooks: see kind hooks.)` : form;
}

function schemaOf(kind: Kind) {
  if (kind === 'all') return jsonSchemaOf(Design);
  if (kind === 'frame') return jsonSchemaOf(Design, parts);
  if (kind === 'hooks') return jsonSchemaOf(v.strictObject(Hooks.entries), parts);
  if (kind === 'variables')
    return {
      ...jsonSchemaOf(v.pick(Design, ['variables'])),
      description: 'Texts may contain {{id}} of a variable, or {{name}} of a system variable.',
      'x-systemVariables': systemVariables,
    };
  if (!isBlock(kind)) return jsonSchemaOf(stepKinds[kind]);
  return {
    ...jsonSchemaOf(actionBlocks[kind]),
    description: 'Part of a node of hooks, to which no step leads: kind hooks shows when a node runs.',
  };
}

function exampleOf(kind: Kind): object {
  if (kind === 'all')
    return { frame: starterDesign, hooks: hooksExample, steps: stepExamples, blocks: blockExamples };
  if (kind === 'frame') return starterDesign;
  if (kind === 'hooks') return hooksExample;
  if (kind === 'variables') return variablesExample;
  return isBlock(kind) ? blockExamples[kind] : stepExamples[kind];
}

function isBlock(kind: Kind): kind is keyof typeof actionBlocks {
  return Object.hasOwn(actionBlocks, kind);
}
