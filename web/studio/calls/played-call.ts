import type { Input, Output } from '../../api/client.ts';
import type { Design } from '../../api/operations.ts';
import { exitWord, optionName, stepName } from '../../versions/step-lines.ts';

/** What `simulate_conversation` tells of a call, or of a part of it. */
export type Report = Output<'simulate_conversation'>;
export type Line = Report['transcript'][number];
/** Something that was said in a call or a session. A visitor's turn may mean several things, one after the other. */
export interface SpokenLine extends Pick<Line, 'who' | 'text'> {
  readonly step: string | null;
  readonly understood?: Meaning | readonly Meaning[];
  readonly understoodBy?: string;
}
type Meaning = NonNullable<Line['understood']>;
export type PathEntry = Report['path'][number];
export type Mocks = NonNullable<Input<'simulate_conversation'>['mocks']>;
export type CallerTurn = NonNullable<NonNullable<Input<'simulate_conversation'>['caller']>['script']>[number];
export type Expectation = Report['expectations'][number];

/** The hook nodes of a design, those before the call first. */
export function hookNodesOf({ hooks }: Design) {
  return { ...hooks?.before?.nodes, ...hooks?.after?.nodes };
}

/** When a hook node runs, in words. */
export function hookPhase({ hooks }: Design, node: string): string {
  return hooks?.before?.nodes[node] ? 'before the call' : 'after the call';
}

/** What people call a place of a path. */
export function placeName(design: Design, { step, hookNode }: Pick<PathEntry, 'step' | 'hookNode'>): string {
  if (step !== undefined) return stepName(design, step);
  return hookNode === undefined ? 'the call' : (hookNodesOf(design)[hookNode]?.name ?? hookNode);
}

/** What people call an exit: the title of an option, or the word for an exit that several kinds of steps have. */
export function exitName(design: Design, { step: id, exit }: Pick<PathEntry, 'step' | 'exit'>): string {
  if (exit === null) return '';
  const step = id === undefined ? undefined : design.steps[id];
  return exitWord(step ? optionName(step, exit) : exit);
}

/** What a turn of the caller was taken for; undefined if nothing had to be understood. */
export function meaningInWords(design: Design, { step, understood }: SpokenLine): string | undefined {
  const meanings: readonly Meaning[] = understood === undefined ? [] : [understood].flat();
  if (meanings.length === 0) return undefined;
  // A step looks into what was said before it, mostly in vain.
  const telling = meanings.filter((meaning, index) => index === 0 || !isEmpty(meaning));
  return telling.map((meaning) => oneMeaningInWords(design, step, meaning)).join(', then ');
}

function isEmpty({ values, consent, command }: Meaning): boolean {
  return values !== undefined && !hasMembers(values) && !isThere(consent) && !isThere(command);
}

function hasMembers(values: unknown): boolean {
  return typeof values === 'object' && values !== null && Object.keys(values).length > 0;
}

function isThere(meaning: unknown): boolean {
  return meaning !== undefined && meaning !== null;
}

const commands: Readonly<Record<string, string>> = {
  person: 'a wish to speak to a person',
  stop: 'a wish to end the call',
  repeat: 'a wish to hear it again',
  human: 'the question whether a human speaks',
  swearing: 'swearing',
  emergency: 'an emergency',
};

function oneMeaningInWords(design: Design, step: string | null, understood: Meaning): string {
  const { command, ...answer } = understood;
  if (typeof command !== 'string') return answerInWords(design, step, answer);
  const wish = commands[command] ?? `a wish: ${command}`;
  const isAnswer = isThere(answer.option) || hasMembers(answer.values);
  return isAnswer ? `${wish}, with ${answerInWords(design, step, answer)}` : wish;
}

function answerInWords(design: Design, step: string | null, understood: Meaning): string {
  const { option, values, consent, answered, done } = understood;
  if (option !== undefined)
    return option === null
      ? 'none of the options'
      : exitName(design, { ...(step !== null && { step }), exit: option as string });
  if (values !== undefined) {
    const given = Object.entries(values as Record<string, unknown>);
    if (given.length === 0 && isThere(consent)) return consent === true ? 'agrees' : 'declines';
    return given.length === 0
      ? 'nothing that was asked for'
      : given.map(([name, value]) => `${name}: ${valueInWords(value)}`).join(', ');
  }
  if (consent !== undefined)
    return consent === null ? 'neither yes nor no' : consent === true ? 'agrees' : 'declines';
  if (done === true) return 'has no further question';
  return answered === true ? 'a question that has an answer' : 'a question without an answer';
}

const readers: Readonly<Record<string, string>> = {
  rule: 'by a simple rule, without a model',
  model: 'by a model',
  script: 'fixed in the script',
};

/** Who has understood a turn. */
export function readerInWords(reader: string): string {
  return readers[reader] ?? reader;
}

/** A value as a person writes it: a text as it is, the rest as JSON. */
export function valueInWords(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const ends: Readonly<Record<string, string>> = {
  completed: 'The agent ended the call as designed.',
  hungUp: 'The caller hung up.',
  failed: 'The call broke off, because a step failed and has no exit for that.',
  limit: 'The call reached its limit: too many turns, or too many steps without the caller.',
};

/** Why a call is over. */
export function endInWords(design: Design, { reason, step }: NonNullable<Report['ended']>): string {
  const destination = destinationInWords(design, step);
  if (destination !== undefined && reason === 'transferred') return `Put through to ${destination}.`;
  if (destination !== undefined && reason === 'transferFailed')
    return `Nobody took the call at ${destination}, and the design says nothing else for that.`;
  const why = ends[reason] ?? reason;
  return step === null ? why : `${why} Last step: ${stepName(design, step)}.`;
}

/** The destination of a transfer step, as the design states it; undefined for any other step. */
export function destinationInWords({ steps }: Design, id: string | null | undefined): string | undefined {
  const step = typeof id === 'string' ? steps[id] : undefined;
  if (step?.kind !== 'transfer') return undefined;
  const { kind, value } = step.destination;
  return kind === 'conversation' ? `the conversation ${value}` : value;
}

/** The whole path of a call that was played part by part: a part begins at the place where the one before stopped. */
export function joinedPath(parts: readonly (readonly PathEntry[])[]): readonly PathEntry[] {
  const path: PathEntry[] = [];
  for (const part of parts) {
    const last = path.at(-1);
    const [first] = part;
    if (last?.exit === null && last.step === first?.step && last.hookNode === first?.hookNode) path.pop();
    path.push(...part);
  }
  return path;
}

export type Coverage = Readonly<
  Record<string, { readonly seen: number; readonly all: number; readonly missed: readonly string[] }>
>;

/** What several parts of a call have seen together. */
export function joinedCoverage([first, ...more]: readonly Coverage[]): Coverage {
  return Object.fromEntries(
    Object.entries(first ?? {}).map(([part, { all, missed }]) => {
      const others = more.map((one) => new Set(one[part]?.missed));
      const left = missed.filter((name) => others.every((one) => one.has(name)));
      return [part, { seen: all - left.length, all, missed: left }];
    }),
  );
}

/** An expectation as a sentence about the call. */
export function expectationInWords(design: Design, expectation: Readonly<Record<string, unknown>>): string {
  const place = (where: unknown) => {
    const { step, node, exit } = where as { step?: string; node?: string; exit?: string };
    const at = placeName(design, {
      ...(step !== undefined && { step }),
      ...(node !== undefined && { hookNode: node }),
    });
    if (exit === undefined) return at;
    const by = exitName(design, { ...(step !== undefined && { step }), exit });
    return step === undefined && node === undefined ? `the exit ${by}` : `${at} and leaves it by ${by}`;
  };
  const of = (name: string) => expectation[name] as Readonly<Record<string, unknown>>;
  if ('reaches' in expectation) return `Reaches ${place(of('reaches'))}`;
  if ('neverReaches' in expectation) return `Never reaches ${place(of('neverReaches'))}`;
  const line = (name: string) => {
    const said = expectation[name];
    if (typeof said === 'string') return `“${said}”`;
    const { text, step } = of(name);
    return `“${valueInWords(text)}”${typeof step === 'string' ? ` at ${place({ step })}` : ''}`;
  };
  if ('says' in expectation) return `The agent says ${line('says')}`;
  if ('neverSays' in expectation) return `The agent never says ${line('neverSays')}`;
  if ('ends' in expectation) {
    const { reason, to } = of('ends');
    return `Ends: ${endReason(valueInWords(reason))}${typeof to === 'string' ? `, to ${to}` : ''}`;
  }
  if ('variable' in expectation) {
    const { id, equals } = of('variable');
    return `${valueInWords(id)} is ${equals === null ? 'unknown' : valueInWords(equals)}`;
  }
  if ('requests' in expectation)
    return `Sends a request at ${placeName(design, { hookNode: valueInWords(of('requests')['node']) })}`;
  if ('order' in expectation)
    return `Is at ${place(of('order')['before'])} before ${place(of('order')['after'])}`;
  if ('atMost' in expectation) return `The caller needs at most ${valueInWords(of('atMost')['turns'])} turns`;
  if ('judge' in expectation) return `A model agrees: ${valueInWords(of('judge')['criterion'])}`;
  return JSON.stringify(expectation);
}

const reasons: Readonly<Record<string, string>> = {
  completed: 'as designed',
  hungUp: 'the caller hangs up',
  transferred: 'the agent puts the caller through',
  transferFailed: 'the transfer fails',
  failed: 'the call breaks off',
  limit: 'the call is too long',
};

/** Why a call ends, as a part of a sentence. */
export function endReason(reason: string): string {
  return reasons[reason] ?? reason;
}
