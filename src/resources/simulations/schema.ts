import * as v from 'valibot';
import { endReasons } from '../../calls/call-state.ts';
import type { Expectation as ExpectationOfCall } from '../../calls/expectations.ts';
import { scriptedCalendars } from '../../calls/simulated-calendar.ts';
import { Id, idMap } from '../../design/schema/values.ts';
import type { InputProblem } from '../../operation/define.ts';
import { Moment, momentOf } from '../record/timestamp.ts';

const optional = v.exactOptional;

/** Bounds of one simulation (`decisions#simulations`). */
const mostTurns = 100;
const longestTurn = 2_000;
/** Meanings that are read one after the other before the caller's next turn. */
const mostMeanings = 20;
/** Values that one turn changes. */
const mostCorrected = 100;
const mostMocks = 200;
const mostFreeTimes = 200;
const mostExpectations = 50;
const longestRole = 2_000;
export const mostRepeats = 20;

/** What a turn means to the step that hears it. */
const Understood = v.strictObject({
  option: optional(v.nullable(v.string())),
  values: optional(idMap(v.unknown())),
  consent: optional(v.nullable(v.boolean())),
  answered: optional(v.boolean()),
  text: optional(v.pipe(v.string(), v.maxCodePoints(longestTurn))),
  done: optional(v.boolean()),
  command: optional(v.nullable(v.string())),
  corrected: optional(v.pipe(v.array(v.string()), v.maxLength(mostCorrected))),
  asks: optional(v.boolean()),
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

const Role = v.pipe(v.string(), v.minLength(1), v.maxCodePoints(longestRole));

/** A caller with a script, or one whom a model plays; {@link simulationProblems} checks which. */
export const Caller = v.strictObject({
  script: optional(v.pipe(v.array(Turn), v.maxLength(mostTurns))),
  /** What is understood before the first turn. */
  opening: optional(v.pipe(v.array(Understood), v.maxLength(mostMeanings))),
  persona: optional(Role),
  goal: optional(Role),
  maxTurns: optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostTurns))),
});
export type Caller = v.InferOutput<typeof Caller>;

/** What a hook node's request brings: a response, a contact, or a failure. */
const NodeMock = v.strictObject({
  status: optional(v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599))),
  body: optional(v.unknown()),
  contact: optional(v.nullable(idMap(v.unknown()))),
  fail: optional(v.pipe(v.string(), v.minLength(1), v.maxCodePoints(200))),
});

/** What a calendar has; a list has the only free times, on the clock of the project or with an offset. */
const CalendarMock = v.union([
  v.picklist(scriptedCalendars),
  v.pipe(
    v.array(
      v.pipe(
        v.string(),
        v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?$/),
      ),
    ),
    v.maxLength(mostFreeTimes),
  ),
]);

const TransferMock = v.picklist(['succeed', 'fail']);

export const Mocks = v.strictObject({
  nodes: optional(v.pipe(idMap(NodeMock), v.maxEntries(mostMocks))),
  knowledge: optional(
    v.pipe(
      idMap(v.pipe(v.array(v.pipe(v.string(), v.maxCodePoints(10_000))), v.maxLength(20))),
      v.maxEntries(mostMocks),
    ),
  ),
  calendars: optional(v.pipe(idMap(CalendarMock), v.maxEntries(mostMocks))),
  transfers: optional(v.union([TransferMock, idMap(TransferMock)])),
});
export type Mocks = v.InferOutput<typeof Mocks>;

const Where = v.strictObject({ step: optional(Id), node: optional(Id), exit: optional(Id) });
const ExpectedText = v.pipe(v.string(), v.minLength(1), v.maxCodePoints(1_000));

/** A text, or one at a step. */
const ExpectedLine = v.union([ExpectedText, v.strictObject({ text: ExpectedText, step: optional(Id) })]);

const expectationMembers = {
  reaches: optional(Where),
  neverReaches: optional(Where),
  says: optional(ExpectedLine),
  neverSays: optional(ExpectedLine),
  ends: optional(v.strictObject({ reason: v.picklist(endReasons), to: optional(ExpectedText) })),
  variable: optional(v.strictObject({ id: Id, equals: v.unknown() })),
  requests: optional(v.strictObject({ node: Id, with: optional(v.unknown()) })),
  order: optional(v.strictObject({ before: Where, after: Where })),
  atMost: optional(v.strictObject({ turns: v.pipe(v.number(), v.integer(), v.minValue(0)) })),
  judge: optional(v.strictObject({ criterion: ExpectedText })),
};

/** An expectation has exactly one of these members; {@link simulationProblems} checks that. */
const Expectation = v.strictObject(expectationMembers) as unknown as v.GenericSchema<
  ExpectationOfCall,
  ExpectationOfCall
>;

export const Expectations = v.pipe(v.array(Expectation), v.maxLength(mostExpectations));

/** Problems of a caller and of expectations that their schemas cannot express. */
export function simulationProblems({
  caller = {},
  expect = [],
}: {
  readonly caller?: Caller | undefined;
  readonly expect?: readonly object[] | undefined;
}): InputProblem[] {
  const { script = [], persona, goal, maxTurns } = caller;
  const isPlayed = [persona, goal, maxTurns].some((member) => member !== undefined);
  return [
    ...(isPlayed && (caller.script !== undefined || persona === undefined || goal === undefined)
      ? [{ path: ['caller'] as const, message: 'Expected either script, or persona and goal.' }]
      : []),
    ...script.flatMap((turn, index) => turnProblems(turn, ['caller', 'script', index])),
    ...expect.flatMap((expectation, index) =>
      Object.keys(expectation).length === 1
        ? []
        : [
            {
              path: ['expect', index] as const,
              message: `Expected exactly one of ${Object.keys(expectationMembers).join(', ')}.`,
            },
          ],
    ),
  ];
}

function turnProblems(turn: v.InferOutput<typeof Turn>, path: InputProblem['path']): InputProblem[] {
  if (typeof turn === 'string') return [];
  if (['text', 'silent', 'hangUp'].filter((name) => Object.hasOwn(turn, name)).length !== 1)
    return [{ path, message: 'Expected exactly one of text, silent, hangUp.' }];
  return turn.understood !== undefined && turn.text === undefined
    ? [{ path, message: 'understood needs text.' }]
    : [];
}

/** Short schemas for MCP; calls are checked against the whole ones. */
export const callerOnMcp = {
  type: 'object',
  description:
    '{script: [text | {text, understood: {option | values | consent | answered | command}} | {silent: true} | {hangUp: true}]}, or {persona, goal} for a model.',
};
export const mocksOnMcp = {
  type: 'object',
  description:
    '{nodes: {id: {status, body} | {contact} | {fail}}, knowledge: {id: [passage]}, calendars: {id: free | taken | none | fail | [free times]}, transfers: succeed | fail}. A request without a mock fails, unsent.',
};
export const expectOnMcp = {
  type: 'array',
  items: { type: 'object' },
  description:
    'Each one of reaches, neverReaches {step | node, exit}; says, neverSays text, /pattern/ or {text, step}; ends {reason, to}; variable {id, equals}; requests {node, with}; order {before, after}; atMost {turns}; judge {criterion}.',
};

/** A time that exists, as milliseconds since 1970 can express it. */
export const Now = v.pipe(Moment, v.description('Time of the call; by default fixed.'));

/** A problem if the time does not exist, such as 30 February. */
export function nowProblems({ now }: { readonly now?: string | undefined }): InputProblem[] {
  return now === undefined || momentOf(now) !== undefined
    ? []
    : [{ path: ['now'], message: 'There is no such time.' }];
}

/** The channel of a simulated call: phone, web or chat, or the name of an entry point of hooks.before. */
export const Channel = v.pipe(v.string(), v.minLength(1), v.maxCodePoints(100));

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
    v.objectWithRest(
      { node: v.string(), result: v.picklist(['mocked', 'sent', 'failed', 'unmocked']) },
      v.unknown(),
    ),
  ),
  variables: v.record(v.string(), v.unknown()),
  notes: v.pipe(v.array(v.string()), v.description('What failed or had no value.')),
  coverage: v.pipe(v.record(v.string(), Seen), v.description('Of steps, exits and nodes.')),
  expectations: v.array(v.objectWithRest({ holds: v.boolean(), found: v.string() }, v.unknown())),
  runs: v.strictObject({ played: v.number(), held: v.number() }),
  model: v.strictObject({ calls: v.number(), tokens: v.number() }),
  deterministic: v.boolean(),
  state: v.nullable(v.string()),
});
export type SimulationReport = v.InferOutput<typeof SimulationReport>;
