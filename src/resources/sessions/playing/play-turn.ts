import { createHash } from 'node:crypto';
import { CallDriver, type EffectOutcome, type Followed } from '../../../calls/call-driver.ts';
import type { CallState, EndReason, TransferEffect, Understood } from '../../../calls/call-state.ts';
import { isOver } from '../../../calls/engine.ts';
import { heardOf, interrupted } from '../../../calls/interruption.ts';
import { lastLine, transferAtLimit } from '../../../calls/limit.ts';
import { listeningOf } from '../../../calls/listening.ts';
import { readCallState, UnknownCallFormat } from '../../../calls/stored-call.ts';
import type { Design } from '../../../design/schema/design.ts';
import { ruleOnDisclosure } from '../../../disclosure/index.ts';
import type { PhoneCaller, Services } from '../../../environment/services.ts';
import { invalidRequest, ToolError } from '../../../platform/errors.ts';
import type { Recording } from '../../../services/models/transcription.ts';
import type { Stores } from '../../../store/stores.ts';
import { type CallFacts, LiveEffects, ofVisitors } from '../../effects/live-effects.ts';
import { Pieces } from '../../effects/pieces.ts';
import { type AskIfAllowed, type Outside, searching, settle } from '../../effects/settle.ts';
import { startValues } from '../../project-time/call-start.ts';
import { reasoningOf } from '../../simulations/reasoning.ts';
import type { UsedLimit } from '../../usage/spending-limits.ts';
import { ownerOfDesign } from '../owner.ts';
import type {
  LeasedSession,
  PlayedTurn,
  SessionEvent,
  SessionOutcome,
  SessionProgress,
  SessionStore,
} from '../store.ts';
import { secondsOfSpeech, transcribed } from './speech.ts';
import type { TurnSpending, TurnSpent } from './turn-spending.ts';

/** Seconds after which a client sends a message again that a newer replica has to play. */
const secondsToRetry = 2;

/** What a caller had heard of a turn of the agent when they interrupted it. */
export interface Heard {
  /** The number of that turn. */
  readonly turn: number;
  /** How its lines begin, joined by spaces. */
  readonly text: string;
}

/** A turn of the visitor. */
interface VisitorTurn {
  readonly messageId: string;
  readonly heard?: Heard | undefined;
}

/** What a session does next. */
export type TurnInput =
  | { readonly kind: 'start' }
  | ({ readonly kind: 'message'; readonly text: string } & VisitorTurn)
  /** The caller has said nothing for a while. */
  | ({ readonly kind: 'silence' } & VisitorTurn)
  /** The caller has pressed keys. */
  | ({ readonly kind: 'digits'; readonly digits: string } & VisitorTurn)
  /** What came of a transfer that the voice worker had to carry out. */
  | { readonly kind: 'transferred'; readonly messageId: string; readonly failed: string | undefined }
  | {
      readonly kind: 'speech';
      readonly messageId: string;
      readonly recording: Recording;
      /** Called once the recording is not needed any more. */
      readonly close: () => void;
    }
  /** The visitor leaves, or has said nothing for too long. */
  | { readonly kind: 'end'; readonly reason: 'hungUp' | 'idle' };

/** Why a session ended. */
export type SessionReason = EndReason | 'idle';

/** What a turn is played with. */
export interface TurnContext {
  readonly projectId: string;
  readonly requestId: string;
  readonly services: Services;
  readonly stores: Stores;
  readonly sessions: SessionStore;
  readonly spending: TurnSpending;
  readonly spent: TurnSpent;
  /** True if the lines of the turn are spoken. */
  readonly isSpoken: boolean;
  /** True if a voice worker plays the lines, and has to know when the caller's turn begins and how it looks. */
  readonly isInRoom: boolean;
  /** What is known of a caller on the telephone. */
  readonly caller: PhoneCaller | undefined;
  /** Ends the turn; nothing is stored then. */
  readonly signal: AbortSignal;
  /** Gets each event as soon as it happens. */
  readonly emit: (event: SessionEvent) => void;
}

const outcomes: Readonly<Record<SessionReason, SessionOutcome>> = {
  completed: 'completed',
  transferred: 'transferred',
  hungUp: 'abandoned',
  idle: 'abandoned',
  transferFailed: 'failed',
  failed: 'failed',
  limit: 'failed',
};

/** The names by which designs know the channels of web sessions. */
const channelNames = { chat: 'chat', voice: 'web' } as const;

/**
 * Plays one turn of a session for real: asks the model, searches, and sends requests. It stores nothing.
 * @throws the signal's reason, and errors of the database
 */
export async function playTurn(
  context: TurnContext,
  design: Design,
  session: LeasedSession,
  input: TurnInput,
): Promise<{ turn: PlayedTurn; progress: SessionProgress; reached: ReachedLimit | undefined }> {
  const { projectId, services, spending, spent, isSpoken } = context;
  // A call that cannot go on costs nothing.
  const stored = callOf(session);
  const events: SessionEvent[] = [];
  const emit = (event: SessionEvent) => {
    events.push(event);
    if (isSpoken && event.event === 'say') spending.addLine(secondsOfSpeech(String(event['text'])));
    context.emit(event);
  };
  await services.turn({ projectId });
  const isRecorded = input.kind === 'speech';
  const isTurn = 'messageId' in input && input.kind !== 'transferred';
  requireWaitingFor(input, stored);
  const heard = 'heard' in input ? input.heard : undefined;
  if (heard) await requireHeard(context, session, heard);
  const mayGoOn = !isTurn || (await spending.begin(isRecorded));
  const text = isRecorded && !mayGoOn ? null : await textOf(context, input);
  if (isRecorded && mayGoOn) emit({ event: 'heard', text: text ?? '' });
  if (heard) emit({ event: 'interrupted', turn: heard.turn, text: heard.text });
  const follow = following(emit, design, context);
  const driver = stored
    ? CallDriver.resume(design, heard ? interrupted(stored, heard.text) : stored, follow)
    : await startedDriver(context, design, session, follow);
  const { outside, handOver } = await outsideOf(context, design, session, input, { driver, emit });
  await settle(driver, outside);
  if (input.kind !== 'start') {
    const seconds = Math.max(0, Math.round((session.now.getTime() - session.startedAt.getTime()) / 1000));
    if (!mayGoOn) driver.stop(text, seconds);
    else if (input.kind === 'transferred')
      driver.reportTransfer(input.failed === undefined ? { result: {} } : { failed: input.failed });
    else if (input.kind === 'end') driver.hangUp(seconds);
    else if (input.kind === 'digits') driver.press(input.digits, seconds);
    else driver.hear(text, seconds);
    await settle(driver, outside);
  }
  if (spending.note !== undefined) driver.note(spending.note);
  const { state } = driver;
  const ending = reasonOf(driver, input);
  const reason = ending === 'limit' ? await endAtLimit(driver, design, handOver, emit) : ending;
  if (reason !== undefined) emit({ event: 'end', reason });
  const listening = reason === undefined && context.isInRoom && listeningOf(design, state);
  if (listening) emit({ event: 'listen', ...listening });
  const reached = reachedIn(driver, spending);
  return {
    turn: {
      messageId: 'messageId' in input ? input.messageId : null,
      callerText: text,
      events,
      path: driver.path,
      requests: driver.requests,
      notes: [...new Set(driver.notes)],
      understood: driver.understood.flat(),
      understoodBy: driver.transcript.find(({ who }) => who === 'caller')?.understoodBy ?? null,
      isUnderstood: (input.kind !== 'message' && input.kind !== 'digits') || isUnderstood(driver),
    },
    progress: {
      state,
      turns: state.turns,
      lastStep: stepOf(state) ?? session.lastStep,
      variables: state.variables,
      spent,
      reachedLimit: reached && `${reached.scope} ${reached.kind}`,
      ended: reason === undefined ? undefined : { reason, outcome: outcomes[reason] },
    },
    reached,
  };
}

/** A limit that a session has reached: one on spending, or one of the call itself. */
export interface ReachedLimit {
  readonly scope: UsedLimit['scope'] | 'call';
  /** What is limited, such as `tokens`. */
  readonly kind: string;
}

function reachedIn(
  { limit, isDone, state }: CallDriver,
  { reached }: TurnSpending,
): ReachedLimit | undefined {
  if (reached) return { scope: reached.scope, kind: reached.spending };
  if (limit !== undefined) return { scope: 'call', kind: limit };
  return isDone && !isOver(state) ? { scope: 'call', kind: 'length' } : undefined;
}

/** Hands over a session that has reached a limit, and says its last line. */
async function endAtLimit(
  { state }: CallDriver,
  design: Design,
  handOver: HandOver,
  emit: (event: SessionEvent) => void,
): Promise<SessionReason> {
  const effect = transferAtLimit(design, state);
  const { kind, value } = effect.destination;
  const { outcome, isSent } = await handOver(effect);
  const isHandedOver = isSent || (value !== '' && !('failed' in outcome));
  emit({ event: 'say', text: lastLine(state, isHandedOver), step: stepOf(state) ?? '' });
  if (!isHandedOver) return 'limit';
  emit({ event: 'transfer', kind, value, handedOver: isSent });
  return 'transferred';
}

/** What the visitor writes or says; null if nothing. */
async function textOf(context: TurnContext, input: TurnInput): Promise<string | null> {
  if (input.kind === 'message') return input.text;
  if (input.kind === 'digits') return input.digits;
  if (input.kind !== 'speech') return null;
  const { services, projectId, signal, spending } = context;
  return transcribed({ services, caller: { projectId } }, input.recording, signal, (speech) =>
    spending.add({ speech }),
  );
}

/**
 * The call of a session, as it was stored; undefined if it has not begun.
 * @throws ToolError for a call that a newer release has stored: a retry may reach a replica of that release
 */
function callOf({ state }: LeasedSession): CallState | undefined {
  if (state === null) return undefined;
  try {
    return readCallState(state);
  } catch (error) {
    if (!(error instanceof UnknownCallFormat)) throw error;
    throw new ToolError('internal_error', error.message, { cause: error, retryAfter: secondsToRetry });
  }
}

/**
 * Requires a call to wait for what has happened: while a transfer is carried out, only its outcome and the end count.
 * @throws ToolError `in_use` or `invalid_request`
 */
function requireWaitingFor({ kind }: TurnInput, stored: CallState | undefined): void {
  const isTransferring = stored?.waiting?.for === 'effect' && stored.waiting.kind === 'transfer';
  if (kind === 'transferred' && !isTransferring)
    throw invalidRequest([{ in: 'body', path: '/transferred', message: 'The call waits for no transfer.' }]);
  if (isTransferring && kind !== 'transferred' && kind !== 'end')
    throw new ToolError('in_use', 'The call is being transferred. Send what comes of that first.');
}

/**
 * Requires what a caller has heard to be the beginning of the last turn's lines, so that nobody puts words into the transcript.
 * @throws ToolError `invalid_request`
 */
async function requireHeard(
  { sessions }: TurnContext,
  { id, played }: LeasedSession,
  { turn, text }: Heard,
): Promise<void> {
  const stored = turn === played - 1 ? await sessions.turn(id, { number: turn }) : undefined;
  const lines = (stored?.events ?? []).flatMap(({ event, text: line }) =>
    event === 'say' ? [String(line)] : [],
  );
  if (stored && heardOf(lines, text)) return;
  throw invalidRequest([
    stored
      ? { in: 'body', path: '/heard/text', message: 'Expected how the lines of this turn begin.' }
      : { in: 'body', path: '/heard/turn', message: `Expected the last turn, ${played - 1}.` },
  ]);
}

/** Starts the call of a session, on the clock of its project. */
async function startedDriver(
  { stores, caller }: TurnContext,
  design: Design,
  { channel, startedAt }: LeasedSession,
  follow: (followed: Followed) => void,
): Promise<CallDriver> {
  const system = { ...startValues(startedAt, await stores.projects.time()), ...caller };
  const name = caller ? 'phone' : channelNames[channel];
  return CallDriver.start(design, { channel: name, system }, follow);
}

function following(
  emit: (event: SessionEvent) => void,
  design: Design,
  { isInRoom }: Pick<TurnContext, 'isInRoom'>,
): (followed: Followed) => void {
  return (followed) => {
    if (followed.kind === 'step') emit({ event: 'step', step: followed.step });
    else {
      const { text, step } = followed;
      const isKept = isInRoom && mustBeHeard(design, step, text);
      emit({ event: 'say', text, step, ...(isKept && { interruptible: false }) });
    }
  };
}

/** True for a line that a caller must hear to its end: one that discloses the AI, or asks for consent to a recording. */
function mustBeHeard({ steps }: Design, stepId: string, text: string): boolean {
  const step = Object.hasOwn(steps, stepId) ? steps[stepId] : undefined;
  return step?.kind === 'recordingConsent' || ruleOnDisclosure(text).discloses;
}

/** The exits that a step takes if it does not get what it asked for. */
const fallbackExits = new Set(['fallback', 'noAnswer', 'failed']);

/** False if a reading found nothing, or a step took its fallback. */
function isUnderstood({ understood, path }: CallDriver): boolean {
  const readings = understood.flat();
  const isAnswered = readings.some((reading) => 'answered' in reading && reading.answered);
  const isMiss = (reading: Understood, index: number) =>
    isEmpty(reading) &&
    // A step that the turn has led to looks for its values in vain.
    !(index > 0 && 'values' in reading && !('consent' in reading)) &&
    !('asks' in reading && reading.asks && isAnswered);
  return !readings.some(isMiss) && !path.some(({ exit }) => exit !== null && fallbackExits.has(exit));
}

function isEmpty(understood: Understood): boolean {
  if (typeof understood.command === 'string') return false;
  if ('consent' in understood) return understood.consent === null;
  if ('option' in understood) return understood.option === null;
  if ('values' in understood) return Object.keys(understood.values).length === 0;
  return 'answered' in understood && !understood.answered;
}

/** Undefined while the session goes on. */
function reasonOf({ state, isDone }: CallDriver, input: TurnInput): SessionReason | undefined {
  if (!isDone) return undefined;
  if (!isOver(state)) return 'limit';
  const reason = state.ended?.reason ?? 'completed';
  return reason === 'hungUp' && input.kind === 'end' ? input.reason : reason;
}

function stepOf({ position, ended }: CallState): string | undefined {
  return ended?.step ?? (position?.at === 'step' ? position.id : undefined);
}

/** Hands a call over. `isSent`: a webhook has told somebody about it. */
type HandOver = (
  effect: TransferEffect,
) => Promise<{ readonly outcome: EffectOutcome; readonly isSent: boolean }>;

async function outsideOf(
  context: TurnContext,
  design: Design,
  session: LeasedSession,
  input: TurnInput,
  { driver, emit }: { readonly driver: CallDriver; readonly emit: (event: SessionEvent) => void },
): Promise<{ readonly outside: Outside; readonly handOver: HandOver }> {
  const { projectId, requestId, services, stores, signal } = context;
  const caller = { projectId };
  const live = new LiveEffects(
    { services, stores, caller, requestId, callId: `${session.id}_${digestOf(input)}` },
    design,
    ofVisitors,
  );
  const pieces = new Pieces(async () => {
    await services.turn(caller);
    signal.throwIfAborted();
  });
  const handOver: HandOver = async (effect) => {
    const transcript = await transcriptOf(context, session, driver);
    return live.handOver(effect, handoverOf(session, effect, driver.state, transcript), signal);
  };
  const outside: Outside = {
    pause: () => pieces.pause(),
    search: searching({ services, stores, caller }, signal),
    ask: await askOf(context, session),
    perform: async (effect) => {
      // Only a CRM is told what was said.
      const transcript = effect.kind === 'crmWrite' ? await transcriptOf(context, session, driver) : [];
      return live.perform(effect, factsOf(driver.state, transcript), signal);
    },
    handOver: async (effect) => {
      const { kind, value } = effect.destination;
      // A telephone call goes on at another telephone, and only who has its sound can say whether that worked.
      if (context.caller && kind !== 'conversation') {
        emit({ event: 'transfer', kind, value, mode: effect.mode, isAwaited: true });
        return 'later';
      }
      const { outcome, isSent } = await handOver(effect);
      if (!('failed' in outcome)) emit({ event: 'transfer', kind, value, handedOver: isSent });
      return outcome;
    },
  };
  return { outside, handOver };
}

/** Names a turn in the ids of its webhooks: a message that is sent again names the same turn. */
function digestOf(input: TurnInput): string {
  const name = 'messageId' in input ? `message ${input.messageId}` : input.kind;
  return createHash('sha256').update(name).digest('hex').slice(0, 16);
}

/** Asks the model as the conversation's profile says, as long as the limits allow it; undefined without a model. */
async function askOf(
  { projectId, requestId, services, stores, signal, spending }: TurnContext,
  session: LeasedSession,
): Promise<AskIfAllowed | undefined> {
  const { promptModel } = services;
  if (!promptModel) return undefined;
  const reasoning = await reasoningOf(stores, ownerOfDesign(session));
  return async (prompt) => {
    if (!(await spending.takeCall())) return undefined;
    const prompted = await promptModel(prompt, {
      signal,
      requestId,
      meter: (uses) => services.meter({ projectId }, uses),
      tier: 'realtime',
      reasoning,
    });
    // The first call is counted already.
    spending.add({ calls: prompted.calls - 1, tokens: prompted.tokens });
    return prompted;
  };
}

interface Line {
  readonly who: 'agent' | 'caller';
  readonly text: string;
}

/** What was said in the session, this turn included. Earlier turns are read only if something outside needs them. */
async function transcriptOf(
  { sessions }: TurnContext,
  { id }: LeasedSession,
  driver: CallDriver,
): Promise<Line[]> {
  const earlier = (await sessions.turns(id)).flatMap(({ callerText, events }): Line[] => [
    ...(callerText === null ? [] : [{ who: 'caller' as const, text: callerText }]),
    ...events.flatMap(({ event, text }) =>
      event === 'say' ? [{ who: 'agent' as const, text: String(text) }] : [],
    ),
  ]);
  return [...earlier, ...driver.transcript.map(({ who, text }) => ({ who, text }))];
}

function factsOf({ system, seconds }: CallState, transcript: readonly Line[]): CallFacts {
  return {
    startedAt: typeof system.callStartedAt === 'string' ? system.callStartedAt : '',
    durationSeconds: seconds,
    summary: '',
    transcript: transcript.map(({ who, text }) => `${who}: ${text}`).join('\n'),
  };
}

function handoverOf(
  { id, conversationId, flowId, version, webAgentId }: LeasedSession,
  { destination, mode }: TransferEffect,
  { variables }: CallState,
  transcript: readonly Line[],
) {
  return {
    type: 'session.transfer' as const,
    sessionId: id,
    conversationId,
    ...(flowId !== null && { flowId }),
    version,
    webAgentId,
    destination,
    mode,
    variables,
    transcript,
  };
}
