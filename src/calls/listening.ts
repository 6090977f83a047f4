import { stepOf } from '../design/exits.ts';
import type { Design, Step } from '../design/schema/design.ts';
import type { AnswerKind } from '../design/schema/steps.ts';
import type { CallState } from './call-state.ts';
import { expectedKind } from './reading/kinds.ts';

/** How the caller's next turn probably looks, for whoever has to notice its end. */
export const expectations = [
  'yesNo',
  'choice',
  'question',
  'name',
  'phone',
  'email',
  'date',
  'time',
  'number',
  'text',
] as const;
export type Expected = (typeof expectations)[number];

/** What a call waits for. */
export interface Listening {
  readonly step: string;
  readonly expects: Expected;
  /** Seconds without a word after which the caller counts as silent. */
  readonly silence: number;
  /** Set if the caller may answer with keys: `most` of them, complete `pause` seconds after the last one. */
  readonly digits?: { readonly most: number; readonly pause: number };
}

const kinds: Readonly<Record<AnswerKind, Expected>> = {
  name: 'name',
  phoneNumber: 'phone',
  emailAddress: 'email',
  phoneOrEmail: 'phone',
  date: 'date',
  time: 'time',
  number: 'number',
  yesOrNo: 'yesNo',
  reason: 'question',
  text: 'text',
};

/** Seconds. Who looks for a number or a date needs longer than who says yes or no. */
const silences: Readonly<Record<Expected, number>> = {
  yesNo: 7,
  choice: 8,
  question: 10,
  name: 8,
  phone: 12,
  email: 12,
  date: 10,
  time: 10,
  number: 8,
  text: 10,
};

/** Digits of an international telephone number (E.164), and of what else callers key in. */
const mostDigits = 15;

/** What a call waits for that listens; undefined if it is over or waits for something else. */
export function listeningOf(
  design: Design,
  { position, waiting, progress }: CallState,
): Listening | undefined {
  const step = position?.at === 'step' ? stepOf(design, position.id) : undefined;
  if (!position || !step || waiting?.for !== 'caller') return undefined;
  const expects = expectedAt(step, progress);
  const digits = keysAt(step, expects);
  return { step: position.id, expects, silence: silences[expects], ...(digits && { digits }) };
}

function expectedAt(step: Step, { stage, asked }: CallState['progress']): Expected {
  if (step.kind === 'recordingConsent') return 'yesNo';
  if (step.kind === 'route') return 'choice';
  if (step.kind !== 'collect') return 'question';
  if (stage === 'readBack') return 'yesNo';
  if (stage === 'changing') return 'text';
  const last = step.collect.find(({ variableId }) => variableId === asked.at(-1));
  const [item, another] = last ? [last] : step.collect;
  // A prompt that asks for several things gets a sentence.
  if (!item || another) return 'text';
  return kinds[item.expects ?? expectedKind(item.variableId, item.description ?? '')];
}

function keysAt(step: Step, expects: Expected): Listening['digits'] {
  if (step.kind === 'route') return { most: String(step.options.length).length, pause: 1.5 };
  return expects === 'phone' || expects === 'number' ? { most: mostDigits, pause: 2.5 } : undefined;
}
