import * as v from 'valibot';
import { calendarUse } from './calendar.ts';
import { Id, oneOfKinds, Text } from './values.ts';

const optional = v.exactOptional;
const exit = v.pipe(Id, v.description('A step id.'));
const next = v.strictObject({ next: exit });
const count = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100));
const name = optional(Text);

/** How an answer looks. `reason`: what the call is about, which a caller may have said at the start. */
export const answerKinds = [
  'name',
  'phoneNumber',
  'emailAddress',
  'phoneOrEmail',
  'date',
  'time',
  'number',
  'yesOrNo',
  'reason',
  'text',
] as const;
export type AnswerKind = (typeof answerKinds)[number];

export const Greeting = v.strictObject({
  kind: v.literal('greeting'),
  name,
  introLine: optional(v.pipe(Text, v.description('Said first. Must say that an AI speaks.'))),
  persona: optional(v.strictObject({ whoAmI: optional(Text), purpose: optional(Text) })),
  on: next,
});

export const RecordingConsent = v.strictObject({
  kind: v.literal('recordingConsent'),
  name,
  line: v.pipe(Text, v.description('Asks for consent. Must say that an AI speaks.')),
  on: v.strictObject({ next: exit, declined: optional(exit) }),
});

export const Message = v.strictObject({
  kind: v.literal('message'),
  name,
  text: Text,
  mode: optional(v.pipe(v.picklist(['exact', 'generated']), v.description('Default exact.'))),
  on: next,
});

export const Collect = v.strictObject({
  kind: v.literal('collect'),
  name,
  prompt: v.pipe(Text, v.description('Said first. Later the step asks only for what is missing.')),
  collect: v.array(
    v.strictObject({
      id: Id,
      variableId: v.pipe(Id, v.description('The variable that stores the answer.')),
      description: optional(Text),
      question: optional(v.pipe(Text, v.description('Asks for this item alone.'))),
      expects: optional(
        v.pipe(
          v.picklist(answerKinds),
          v.description(
            'How the answer looks; by default the words of the item tell. reason: what the call is about, also as said at the start.',
          ),
        ),
      ),
      required: optional(
        v.pipe(
          v.boolean(),
          v.description(
            'Default false: the step notes the item if the caller says it, and asks for it once if it has a question.',
          ),
        ),
      ),
    }),
  ),
  readBack: optional(
    v.pipe(
      Text,
      v.description(
        'Said when all is known. The step goes on once the caller agrees, and takes corrections.',
      ),
    ),
  ),
  maxAttempts: optional(
    v.pipe(count, v.description('Replies in a row that bring nothing, before the step fails. Default 3.')),
  ),
  on: v.strictObject({ next: exit, failed: optional(exit) }),
});

export const Route = v.strictObject({
  kind: v.literal('route'),
  name,
  prompt: optional(v.pipe(Text, v.description('Said as it is, once more if no option fits.'))),
  options: v.pipe(
    v.array(
      v.strictObject({ id: Id, title: optional(Text), description: optional(Text), target: optional(exit) }),
    ),
    v.minLength(1),
    v.description('Each with title and description, or with a target, or with all three.'),
  ),
  on: optional(v.strictObject({ fallback: optional(exit) })),
});

export const Answer = v.strictObject({
  kind: v.literal('answer'),
  name,
  instruction: Text,
  facts: optional(
    v.pipe(
      Text,
      v.description(
        'What the agent may say, a line for each fact. Without a model, it quotes the line that fits.',
      ),
    ),
  ),
  knowledgeIds: optional(v.pipe(v.array(Id), v.description('Ids of entries of knowledge.'))),
  maxTurns: optional(count),
  model: optional(
    v.pipe(Id, v.description('The chat model that answers; default auto. x-models are those there are.')),
  ),
  on: v.strictObject({ next: exit, noAnswer: optional(exit) }),
});

export const Transfer = v.strictObject({
  kind: v.literal('transfer'),
  name,
  line: optional(Text),
  destination: v.strictObject({
    kind: v.picklist(['phoneNumber', 'sip', 'conversation']),
    value: v.pipe(Id, v.description('A number, a SIP address, or the id of a conversation.')),
  }),
  mode: optional(v.pipe(v.picklist(['cold', 'warm']), v.description('Default cold.'))),
  on: optional(v.strictObject({ failed: optional(exit) })),
});

/** Uses a calendar in the middle of a call, as the block `calendar` of a hook node does before and after it. */
export const Appointment = v.strictObject({
  kind: v.literal('appointment'),
  name,
  line: optional(v.pipe(Text, v.description('Said before it looks into the calendar.'))),
  calendar: v.strictObject(calendarUse),
  on: v.strictObject({
    next: exit,
    taken: optional(
      v.pipe(
        exit,
        v.description('book and move: the time is not free, and others are offered. Default none.'),
      ),
    ),
    none: v.pipe(
      exit,
      v.description('Nothing is free, there is no such appointment, or the calendar fails.'),
    ),
  }),
});

export const End = v.strictObject({ kind: v.literal('end'), name, line: optional(Text) });

/** The step kinds that the API exposes (`decisions#step-kinds`). */
export const stepKinds = {
  greeting: Greeting,
  recordingConsent: RecordingConsent,
  message: Message,
  collect: Collect,
  route: Route,
  answer: Answer,
  appointment: Appointment,
  transfer: Transfer,
  end: End,
} as const;

export type StepKind = keyof typeof stepKinds;

export const Step = oneOfKinds([
  Greeting,
  RecordingConsent,
  Message,
  Collect,
  Route,
  Answer,
  Appointment,
  Transfer,
  End,
]);

/** True for a kind that the API exposes. Imported designs may have others. */
export function isStepKind(kind: unknown): kind is StepKind {
  return typeof kind === 'string' && Object.hasOwn(stepKinds, kind);
}
