import * as v from 'valibot';
import {
  type Command as CommandSchema,
  type HookNode as HookNodeSchema,
  Hooks,
  type Target as TargetSchema,
} from './hooks.ts';
import { Step as StepSchema } from './steps.ts';
import { Id, idMap, Text } from './values.ts';

const optional = v.exactOptional;

/** The service's verdict on a line that must disclose the AI (`decisions#disclosure`). */
export const DisclosureVerdict = v.strictObject({
  status: v.picklist(['approved', 'rejected']),
  checkedText: v.string(),
  reason: optional(v.string()),
});

/** A design in the format `cd/1` (`service-api#conversation-design`, `decisions#step-kinds`). */
export const Design = v.strictObject({
  schemaVersion: v.literal('cd/1'),
  entry: v.strictObject({
    stepId: v.pipe(Id, v.description('The first step.')),
    alternates: optional(v.pipe(v.array(Text), v.description('Other steps at which a call may start.'))),
  }),
  steps: v.pipe(idMap(StepSchema), v.description('The steps, by ids of your choice.')),
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
      v.description('Written by the service, which replaces what a client sends.'),
    ),
  ),
  layout: optional(
    v.pipe(
      idMap(v.strictObject({ x: v.number(), y: v.number() })),
      v.description('Positions in a diagram; if left out, the service keeps them.'),
    ),
  ),
});

export type Design = v.InferOutput<typeof Design>;
export type Step = v.InferOutput<typeof StepSchema>;
export type HookNode = v.InferOutput<typeof HookNodeSchema>;
export type Command = v.InferOutput<typeof CommandSchema>;
export type Target = v.InferOutput<typeof TargetSchema>;
export type DisclosureVerdict = v.InferOutput<typeof DisclosureVerdict>;
export type HookPhase = 'before' | 'after';
