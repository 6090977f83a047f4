import * as v from 'valibot';
import { idMap } from '../../design/schema/values.ts';
import type { InputProblem } from '../../tool/define.ts';
import { Moment, momentOf } from '../timestamp.ts';

const optional = v.exactOptional;

/** Bounds of one simulation (`decisions#simulations`). */
const mostTurns = 100;
const longestTurn = 2_000;
/** Meanings that are read one after the other before the caller's next turn. */
const mostMeanings = 20;
const mostMocks = 200;

/** What a turn means to the step that hears it. */
const Understood = v.strictObject({
  option: optional(v.nullable(v.string())),
  values: optional(idMap(v.unknown())),
  consent: optional(v.nullable(v.boolean())),
  answered: optional(v.boolean()),
  text: optional(v.pipe(v.string(), v.maxCodePoints(longestTurn))),
  done: optional(v.boolean()),
});

const TurnText = v.pipe(v.string(), v.maxCodePoints(longestTurn));

/** A turn of a caller: a text, or exactly one of text, silent and hangUp. */
const Turn = v.union([
  TurnText,
  v.strictObject({
    text: optional(TurnText),
    understood: optional(v.union([Understood, v.pipe(v.array(Understood), v.maxLength(mostMeanings))])),
    silent: optional(v.literal(true)),
    hangUp: optional(v.literal(true)),
  }),
]);

export const Caller = v.strictObject({
  script: v.pipe(v.array(Turn), v.maxLength(mostTurns)),
  /** What is understood before the first turn. */
  opening: optional(v.pipe(v.array(Understood), v.maxLength(mostMeanings))),
});
export type Caller = v.InferOutput<typeof Caller>;

/** What a hook node's request brings: a response, a contact, or a failure. */
const NodeMock = v.strictObject({
  status: optional(v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599))),
  body: optional(v.unknown()),
  contact: optional(v.nullable(idMap(v.unknown()))),
  fail: optional(v.pipe(v.string(), v.minLength(1), v.maxCodePoints(200))),
});

const TransferMock = v.picklist(['succeed', 'fail']);

export const Mocks = v.strictObject({
  nodes: optional(v.pipe(idMap(NodeMock), v.maxEntries(mostMocks))),
  knowledge: optional(
    v.pipe(
      idMap(v.pipe(v.array(v.pipe(v.string(), v.maxCodePoints(10_000))), v.maxLength(20))),
      v.maxEntries(mostMocks),
    ),
  ),
  transfers: optional(v.union([TransferMock, idMap(TransferMock)])),
});
export type Mocks = v.InferOutput<typeof Mocks>;

/** Problems of a caller that its schema cannot express. */
export function simulationProblems({ caller }: { readonly caller?: Caller | undefined }): InputProblem[] {
  const turns = caller?.script ?? [];
  return turns.flatMap((turn, index) => {
    if (typeof turn === 'string') return [];
    const path = ['caller', 'script', index] as const;
    if (['text', 'silent', 'hangUp'].filter((name) => Object.hasOwn(turn, name)).length !== 1)
      return [{ path, message: 'Expected exactly one of text, silent, hangUp.' }];
    return turn.understood !== undefined && turn.text === undefined
      ? [{ path, message: 'understood needs text.' }]
      : [];
  });
}

/** A time that exists, as milliseconds since 1970 can express it. */
export const Now = v.pipe(Moment, v.description('Start of the call; by default always the same moment.'));

/** A problem if the time does not exist, such as 30 February. */
export function nowProblems({ now }: { readonly now?: string | undefined }): InputProblem[] {
  return now === undefined || momentOf(now) !== undefined
    ? []
    : [{ path: ['now'], message: 'There is no such time.' }];
}

/** Where a simulated call takes place. */
export const Channel = v.picklist(['phone', 'web', 'chat']);

const Seen = v.strictObject({ seen: v.number(), all: v.number(), missed: v.array(v.string()) });

/** Response of a simulation (`decisions#simulations`). */
export const SimulationReport = v.strictObject({
  version: v.pipe(v.nullable(v.number()), v.description('null for a design of the call.')),
  ended: v.pipe(
    v.nullable(v.strictObject({ reason: v.string(), step: v.nullable(v.string()) })),
    v.description('null while the agent listens.'),
  ),
  transcript: v.array(
    v.strictObject({
      who: v.picklist(['agent', 'caller']),
      text: v.string(),
      step: v.string(),
      understood: optional(v.record(v.string(), v.unknown())),
      understoodBy: optional(v.picklist(['rule', 'script', 'model'])),
    }),
  ),
  path: v.array(
    v.strictObject({
      step: optional(v.string()),
      hookNode: optional(v.string()),
      exit: v.nullable(v.string()),
      why: v.nullable(v.string()),
    }),
  ),
  requests: v.array(
    v.objectWithRest({ node: v.string(), result: v.picklist(['mocked', 'failed', 'unmocked']) }, v.unknown()),
  ),
  variables: v.record(v.string(), v.unknown()),
  notes: v.pipe(v.array(v.string()), v.description('What failed or had no value.')),
  coverage: v.strictObject({ steps: Seen, exits: Seen, nodes: Seen }),
  model: v.strictObject({ calls: v.number(), tokens: v.number() }),
  deterministic: v.boolean(),
  state: v.nullable(v.string()),
});
export type SimulationReport = v.InferOutput<typeof SimulationReport>;
