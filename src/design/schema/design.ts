import * as v from 'valibot';
import { type HookNode as HookNodeSchema, Hooks, type Target as TargetSchema } from './hooks.ts';
import { Step as StepSchema } from './steps.ts';
import { Id, idMap, Text } from './values.ts';

const optional = v.exactOptional;

/** What the service says about a line that has to tell that an AI speaks. */
export const DisclosureVerdict = v.strictObject({
  status: v.picklist(['approved', 'rejected']),
  checkedText: v.string(),
  reason: optional(v.string()),
});

/** A design document, `cd/1` (`service-api` part 2, with the step kinds of `decisions` 4). */
export const Design = v.strictObject({
  schemaVersion: v.literal('cd/1'),
  entry: v.strictObject({
    stepId: v.pipe(Id, v.description('The first step.')),
    alternates: optional(v.pipe(v.array(Text), v.description('Further steps at which a call may start.'))),
  }),
  steps: v.pipe(idMap(StepSchema), v.description('The steps, by an id of your choice.')),
  knowledge: optional(
    v.array(v.strictObject({ id: Id, kind: v.literal('knowledgeBase'), knowledgeBaseId: Id })),
  ),
  variables: optional(
    v.array(v.strictObject({ id: Id, name: optional(Text), type: v.picklist(['text', 'number', 'object']) })),
  ),
  integrations: optional(
    v.array(
      v.strictObject({ id: Id, kind: v.picklist(['crm', 'calendar', 'knowledge']), integrationId: Id }),
    ),
  ),
  hooks: optional(Hooks),
  compliance: optional(
    v.pipe(
      v.strictObject({ aiDisclosure: optional(idMap(DisclosureVerdict)) }),
      v.description('Written by the service; what a client sends here is replaced.'),
    ),
  ),
  layout: optional(
    v.pipe(
      idMap(v.strictObject({ x: v.number(), y: v.number() })),
      v.description('Where a step stands in a drawing; left out, it is kept.'),
    ),
  ),
});

export type Design = v.InferOutput<typeof Design>;
export type Step = v.InferOutput<typeof StepSchema>;
export type HookNode = v.InferOutput<typeof HookNodeSchema>;
export type Target = v.InferOutput<typeof TargetSchema>;
export type DisclosureVerdict = v.InferOutput<typeof DisclosureVerdict>;
export type HookPhase = 'before' | 'after';
