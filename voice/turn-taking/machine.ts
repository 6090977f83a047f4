import { change, cut, hangUp, interrupts, isListening, type Move, send } from './move.ts';
import {
  beforeHangUp,
  longestCall,
  longestLine,
  longestTurn,
  mostFailures,
  usualSilence,
} from './numbers.ts';
import type { Entry, Listening, SentTurn, TurnEvent, TurnOutcome, TurnState } from './types.ts';
import { followUtterance, hear, isPauseOver, utteranceDeadlines } from './utterance.ts';

/** A call begins: the shell has sent the start to Parley, and the agent speaks first. */
export function startTurns(at: number): TurnOutcome {
  const listening: Listening = { expects: 'question', silence: usualSilence / 1_000, digits: undefined };
  return outcome({
    at,
    state: {
      at,
      startedAt: at,
      isOver: false,
      isEnding: false,
      voice: { heardAt: at, voiced: 0, since: at },
      utterance: undefined,
      utterances: 0,
      takenTo: at,
      kept: '',
      entry: undefined,
      playing: undefined,
      queue: [],
      turn: {
        sentAt: at,
        answeredAt: at,
        isOpening: true,
        hasSpoken: false,
        before: listening,
        hasListen: false,
      },
      failures: 0,
      listening,
      silentSince: at,
    },
    commands: [],
  });
}

/** The state after an event, and what the shell does now. An `at` before that of an earlier event counts as the same moment. */
export function takeTurn(before: TurnState, event: TurnEvent): TurnOutcome {
  const at = Math.max(before.at, event.at);
  const move: Move = { at, state: { ...before, at }, commands: [] };
  if (!before.isOver) {
    take(move, event);
    settle(move);
  }
  return outcome(move);
}

function outcome({ state, commands }: Move): TurnOutcome {
  return { state, commands, wakeAt: state.isOver ? undefined : Math.min(...deadlines(state)) };
}

function take(move: Move, event: TurnEvent): void {
  const { at, state } = move;
  switch (event.kind) {
    case 'audio':
      hear(move, event.speech);
      break;
    case 'digit':
      press(move, event.digit);
      break;
    case 'say':
      change(move, { queue: [...state.queue, event.line], turn: answered(state.turn, at) });
      break;
    case 'listen': {
      const { expects, silence, digits } = event;
      change(move, { turn: answered(state.turn, at, true) });
      listenFor(move, { expects, silence, digits });
      break;
    }
    case 'end':
      change(move, {
        isEnding: true,
        turn: answered(state.turn, at),
        utterance: undefined,
        kept: '',
        entry: undefined,
        silentSince: at,
      });
      break;
    case 'turnDone':
      if (state.turn !== undefined) {
        const silentSince = state.turn.hasSpoken ? state.silentSince : at;
        change(move, { turn: undefined, failures: 0, silentSince });
      }
      break;
    case 'turnFailed':
      if (state.turn !== undefined) {
        listenFor(move, state.turn.before);
        change(move, { turn: undefined, failures: state.failures + 1, silentSince: at });
      }
      break;
    case 'transcribed': {
      const { utterance } = state;
      if (utterance?.id === event.utterance && utterance.transcription?.to === event.to) {
        const transcription = { ...utterance.transcription, text: event.text.trim() };
        change(move, { utterance: { ...utterance, transcription } });
      }
      break;
    }
    case 'played':
      if (state.playing?.line.id === event.line) change(move, { playing: undefined, silentSince: at });
      break;
    case 'hungUp':
      change(move, { isOver: true });
      break;
    case 'tick':
      break;
  }
}

function answered(turn: SentTurn | undefined, at: number, hasListen = false): SentTurn | undefined {
  return turn && { ...turn, answeredAt: at, hasListen: turn.hasListen || hasListen };
}

/** Another step takes other keys, so digits for the one before are void. */
function listenFor(move: Move, listening: Listening): void {
  change(move, { listening, entry: undefined });
}

/** Takes a key. Before Parley has said what the next step waits for, and after the end, no step takes keys. */
function press(move: Move, digit: string): void {
  const { at, state } = move;
  if (state.isEnding) return;
  change(move, { silentSince: at });
  const { entry, turn } = state;
  const { digits: taken } = state.listening;
  if (taken === undefined || (turn !== undefined && !turn.hasListen) || entry?.isComplete) return;
  if (digit === '#') {
    if (entry) change(move, { entry: { ...entry, isComplete: true } });
    return;
  }
  const digits = (entry?.digits ?? '') + digit;
  const isComplete = digits.length >= (taken.most ?? Number.POSITIVE_INFINITY);
  change(move, { entry: { digits, lastAt: at, isComplete } });
  if (entry) return;
  cut(move);
  change(move, { kept: '', utterance: undefined, takenTo: at, voice: { ...state.voice, voiced: 0 } });
}

/** Does all that is due at this moment. */
function settle(move: Move): void {
  const { at } = move;
  if (move.state.isOver) return;
  if (at >= limitOf(move.state) || move.state.failures >= mostFailures) {
    hangUp(move);
    return;
  }
  followUtterance(move);
  if (move.state.playing?.isPaused && isPauseOver(move.state)) {
    move.commands.push({ kind: 'resume' });
    change(move, { playing: { ...move.state.playing, isPaused: false } });
  }
  const { entry, listening } = move.state;
  if (entry && at >= entryAt(entry, listening)) change(move, { entry: { ...entry, isComplete: true } });
  // Until Parley is done, the turn may still be the last, and then all of its lines play.
  if (interrupts(move.state) && move.state.turn === undefined)
    change(move, { queue: move.state.queue.filter((line) => !line.interruptible) });
  playNext(move);
  sendNext(move);
  const { state } = move;
  if (isGoodbyeSaid(state) && at >= state.silentSince + beforeHangUp) hangUp(move);
}

function playNext(move: Move): void {
  const { at, state } = move;
  const [line, ...queue] = state.queue;
  if (line === undefined || state.playing !== undefined) return;
  if (line.interruptible && (state.utterance !== undefined || interrupts(state))) return;
  move.commands.push({ kind: 'play', line });
  change(move, {
    queue,
    playing: { line, startedAt: at, isPaused: false },
    turn: state.turn && { ...state.turn, hasSpoken: true },
  });
}

function sendNext(move: Move): void {
  const { at, state } = move;
  if (!isListening(state) || state.utterance !== undefined) return;
  if (state.entry?.isComplete) send(move, { digits: state.entry.digits });
  else if (state.entry !== undefined) return;
  else if (state.kept !== '') send(move, { text: state.kept });
  else if (at >= silentAt(state)) send(move, { silent: true });
}

function isGoodbyeSaid({ isEnding, playing, queue }: TurnState): boolean {
  return isEnding && playing === undefined && queue.length === 0;
}

function silentAt({ silentSince, listening }: TurnState): number {
  return silentSince + listening.silence * 1_000;
}

function entryAt({ lastAt, isComplete }: Entry, { digits }: Listening): number {
  return isComplete || digits === undefined ? Number.POSITIVE_INFINITY : lastAt + digits.pause * 1_000;
}

/** When the call has lasted too long, or someone has failed to report for so long that nothing will come any more. */
function limitOf({ startedAt, turn, playing }: TurnState): number {
  return Math.min(
    startedAt + longestCall,
    turn ? turn.answeredAt + longestTurn : Number.POSITIVE_INFINITY,
    playing ? playing.startedAt + longestLine : Number.POSITIVE_INFINITY,
  );
}

/** The moments at which something will be due. All are in the future, because `settle` has done what was due. */
function deadlines(state: TurnState): number[] {
  const { entry, utterance, listening, silentSince } = state;
  const moments = [limitOf(state), ...utteranceDeadlines(state)];
  if (entry) moments.push(entryAt(entry, listening));
  if (isListening(state) && !utterance && !entry) moments.push(silentAt(state));
  if (isGoodbyeSaid(state)) moments.push(silentSince + beforeHangUp);
  return moments;
}
