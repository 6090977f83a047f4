import * as v from 'valibot';
import { type ActionBlock, actionBlocks } from '../schema/hooks.ts';
import { type StepKind, stepKinds } from '../schema/steps.ts';
import { Id } from '../schema/values.ts';

const optional = v.exactOptional;

/** Some places of a call; exactly one member. */
export const PlaceSelector = v.strictObject({
  step: optional(v.pipe(Id, v.description('A step id.'))),
  hookNode: optional(v.pipe(Id, v.description('A hook node id.'))),
  kind: optional(v.pipe(v.picklist(Object.keys(stepKinds) as StepKind[]), v.description('Steps of a kind.'))),
  action: optional(
    v.pipe(v.picklist(Object.keys(actionBlocks) as ActionBlock[]), v.description('Hook nodes that do this.')),
  ),
});

/** Something that can be proved of every call through a design. */
export const Property = v.variant('property', [
  v.pipe(
    v.strictObject({ property: v.literal('alwaysBefore'), always: PlaceSelector, before: PlaceSelector }),
    v.description('No call comes to `before` that was not at `always` before.'),
  ),
  v.pipe(
    v.strictObject({ property: v.literal('neverAfter'), never: PlaceSelector, after: PlaceSelector }),
    v.description('No call comes to `never` that was at `after` before.'),
  ),
  v.pipe(
    v.strictObject({ property: v.literal('everyPathEnds') }),
    v.description('From wherever a call is, it can come to its end without the caller hanging up.'),
  ),
  v.pipe(
    v.strictObject({
      property: v.literal('asksOnce'),
      variable: optional(v.pipe(Id, v.description('Only this variable, by its id.'))),
    }),
    v.description('No call asks for a variable that it has collected.'),
  ),
  v.pipe(
    v.strictObject({ property: v.literal('disclosedBeforeCollecting') }),
    v.description('No call collects anything before the caller heard that an AI speaks.'),
  ),
  v.pipe(
    v.strictObject({ property: v.literal('consentBeforeTranscript') }),
    v.description('No call hands on a transcript or a recording before the caller consented.'),
  ),
]);

export type PlaceSelector = v.InferOutput<typeof PlaceSelector>;
export type Property = v.InferOutput<typeof Property>;

/** What is proved of a design where nothing else is asked. */
export const builtInProperties: readonly Property[] = [
  { property: 'everyPathEnds' },
  { property: 'asksOnce' },
  { property: 'disclosedBeforeCollecting' },
  { property: 'consentBeforeTranscript' },
];
