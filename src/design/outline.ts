import * as v from 'valibot';
import { calendarWords } from './calendar-words.ts';
import { exitsOf } from './exits.ts';
import type { Design, HookNode } from './schema/design.ts';
import { idMap } from './schema/values.ts';
import { signedWith } from './signing.ts';

const NodeOutline = v.strictObject({
  id: v.string(),
  name: v.exactOptional(v.string()),
  blocks: v.array(v.string()),
  signedWith: v.exactOptional(
    v.pipe(v.nullable(v.string()), v.description('The secret that signs the webhook; null if none does.')),
  ),
  /** When each branch on the moment of the call is taken, in words, by its id. */
  calendar: v.exactOptional(idMap(v.string())),
});

/** The structure of a design without its texts, for choosing which steps to read. */
export const DesignOutline = v.strictObject({
  schemaVersion: v.literal('cd/1'),
  entry: v.strictObject({ stepId: v.string(), alternates: v.exactOptional(v.array(v.string())) }),
  bytes: v.pipe(v.number(), v.integer()),
  steps: v.array(
    v.strictObject({
      id: v.string(),
      kind: v.string(),
      name: v.exactOptional(v.string()),
      exits: idMap(v.string()),
      bytes: v.pipe(v.number(), v.integer()),
    }),
  ),
  hooks: v.strictObject({
    commands: v.exactOptional(v.array(v.string())),
    before: v.array(NodeOutline),
    after: v.array(NodeOutline),
  }),
  variables: v.array(v.string()),
  knowledge: v.array(v.string()),
  integrations: v.array(v.string()),
});

export type DesignOutline = v.InferOutput<typeof DesignOutline>;

/**
 * The outline of a design. Sizes are bytes of JSON.
 * @param secrets the names of the secrets that the project has; without it, the outline leaves out what signs webhooks
 */
export function outlineOf(design: Design, secrets?: ReadonlySet<string>): DesignOutline {
  const { schemaVersion, entry, steps, hooks, variables = [], knowledge = [], integrations = [] } = design;
  const nodes = (phase: 'before' | 'after') =>
    Object.entries(hooks?.[phase]?.nodes ?? {}).map(([id, { id: _, name, next: __, ...blocks }]) => ({
      id,
      ...(name !== undefined && { name }),
      blocks: Object.keys(blocks),
      ...(secrets &&
        blocks.webhook && { signedWith: signedWith(blocks.webhook, (one) => secrets.has(one)) ?? null }),
      ...calendarOf(blocks.condition),
    }));
  const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);
  return {
    schemaVersion,
    entry,
    bytes: bytesOf(design),
    steps: Object.entries(steps).map(([id, step]) => ({
      id,
      kind: step.kind,
      ...(step.name !== undefined && { name: step.name }),
      exits: Object.fromEntries(exitsOf(id, step).map(({ label, stepId }) => [label, stepId])),
      bytes: bytesOf(step),
    })),
    hooks: {
      ...(hooks?.commands && { commands: Object.keys(hooks.commands) }),
      before: nodes('before'),
      after: nodes('after'),
    },
    variables: ids(variables),
    knowledge: ids(knowledge),
    integrations: ids(integrations),
  };
}

function calendarOf(condition: HookNode['condition']): { calendar?: Record<string, string> } {
  const dated = (condition?.branches ?? []).flatMap((branch) =>
    'calendarDate' in branch ? [[branch.id, calendarWords(branch.calendarDate)] as const] : [],
  );
  return dated.length > 0 ? { calendar: Object.fromEntries(dated) } : {};
}

const encoder = new TextEncoder();

function bytesOf(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}
