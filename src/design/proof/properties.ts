import * as v from 'valibot';
import { type ActionBlock, actionBlocks } from '../schema/hooks.ts';
import { type StepKind, stepKinds } from '../schema/steps.ts';
import { Id } from '../schema/values.ts';

const optional = v.exactOptional;

/** Selects places of a call. Must have exactly one member. */
export const PlaceSelector = v.strictObject({
  step: optional(v.pipe(Id, v.description('A step id.'))),
  hookNode: optional(v.pipe(Id, v.description('A hook node id.'))),
  kind: optional(v.pipe(v.picklist(Object.keys(stepKinds) as StepKind[]), v.description('Steps of a kind.'))),
  action: optional(
    v.pipe(
      v.picklist(Object.keys(actionBlocks) as ActionBlock[]),
      v.description('Hook nodes with this action.'),
    ),
  ),
});

/** A property that every call through a design can have. */
export const Property = v.variant('property', [
  v.pipe(
    v.strictObject({ property: v.literal('alwaysBefore'), always: PlaceSelector, before: PlaceSelector }),
    v.description('Every call that reaches `before` has been at `always`.'),
  ),
  v.pipe(
    v.strictObject({ property: v.literal('neverAfter'), never: PlaceSelector, after: PlaceSelector }),
    v.description('No call that has been at `after` reaches `never`.'),
  ),
  v.pipe(
    v.strictObject({ property: v.literal('everyPathEnds') }),
    v.description('From every place, a call can reach its end without the caller hanging up.'),
  ),
  v.pipe(
    v.strictObject({
      property: v.literal('asksOnce'),
      variable: optional(v.pipe(Id, v.description('Only this variable, by id.'))),
    }),
    v.description('No call asks for a variable that it has already collected.'),
  ),
  v.pipe(
    v.strictObject({ property: v.literal('disclosedBeforeCollecting') }),
    v.description('No call collects anything before it has disclosed the AI.'),
  ),
  v.pipe(
    v.strictObject({ property: v.literal('disclosedFirst') }),
    v.description(
      'No call collects, records, lets a model speak or transfers before it has disclosed the AI.',
    ),
  ),
  v.pipe(
    v.strictObject({ property: v.literal('consentBeforeTranscript') }),
    v.description('No call sends a transcript or a recording before the caller has consented.'),
  ),
]);

export type PlaceSelector = v.InferOutput<typeof PlaceSelector>;
export type Property = v.InferOutput<typeof Property>;

/** The properties to prove if a request names none. */
export const builtInProperties: readonly Property[] = [
  { property: 'everyPathEnds' },
  { property: 'asksOnce' },
  { property: 'disclosedBeforeCollecting' },
  { property: 'disclosedFirst' },
  { property: 'consentBeforeTranscript' },
];
