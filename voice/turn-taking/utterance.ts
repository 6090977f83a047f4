import { change, cut, isListening, type Move, send } from './move.ts';
import {
  afterClearAnswer,
  afterComplete,
  afterOpenEnd,
  audioGap,
  continuesWithin,
  earlyQuiet,
  endOfTurn,
  interruptAfter,
  leadIn,
  leastAnswer,
  leastVoiced,
  longestPause,
  longestTranscription,
  longestUtterance,
  quietBelow,
  speechAbove,
  window,
} from './numbers.ts';
import type { TurnState, Utterance, Voice } from './types.ts';
import { endsOpenly, isBackchannel, isClearAnswer, isEmailAddress, isPhoneNumber, isYes } from './words.ts';

/** Takes one window of the caller's audio. */
export function hear(move: Move, speech: number): void {
  const { at, state } = move;
  const voice = withWindow(state.voice, speech, at);
  // Speech while digits are entered is noise of the room; after the end, nothing is sent any more.
  if (state.entry !== undefined || state.isEnding) {
    change(move, { voice: { ...voice, voiced: 0 }, takenTo: at });
    return;
  }
  change(move, { voice });
  if (state.utterance === undefined) begin(move);
  else if (!state.utterance.isClosed)
    change(move, { utterance: goneOn(state.utterance, speech, move.state) });
  interrupt(move);
}

function withWindow(voice: Voice, speech: number, at: number): Voice {
  if (speech > speechAbove)
    return {
      heardAt: at,
      voiced: voice.voiced + window,
      since: voice.voiced === 0 ? at - window : voice.since,
    };
  return { ...voice, heardAt: at, voiced: speech < quietBelow ? 0 : voice.voiced };
}

function begin(move: Move): void {
  const { at, state } = move;
  const { voice, turn, takenTo } = state;
  if (voice.voiced < leastVoiced) return;
  const id = state.utterances + 1;
  change(move, {
    utterances: id,
    utterance: {
      id,
      begunAt: at,
      from: Math.max(takenTo, voice.since - leadIn),
      speech: voice.voiced,
      quiet: 0,
      isOverLine: state.playing !== undefined,
      isContinuation:
        turn !== undefined &&
        !turn.isOpening &&
        !turn.hasSpoken &&
        voice.since - turn.sentAt <= continuesWithin,
      isClosed: false,
      transcription: undefined,
    },
  });
}

/**
 * The utterance after one more window. Once its transcription has started, only speech that would start an utterance
 * makes it go on: a click neither repeats the transcription nor ends the turn.
 */
function goneOn(utterance: Utterance, speech: number, { voice, playing }: TurnState): Utterance {
  const { transcription } = utterance;
  if (transcription === undefined ? speech >= quietBelow : voice.voiced >= leastVoiced)
    return {
      ...utterance,
      speech: utterance.speech + (transcription === undefined ? window : leastVoiced),
      quiet: 0,
      isOverLine: playing !== undefined,
      transcription: undefined,
    };
  return speech > speechAbove ? utterance : { ...utterance, quiet: utterance.quiet + window };
}

/** Pauses the line if the caller speaks over it. */
function interrupt(move: Move): void {
  const { playing, voice, utterance } = move.state;
  if (!playing?.line.interruptible || playing.isPaused) return;
  if (utterance === undefined || voice.voiced < interruptAfter) return;
  move.commands.push({ kind: 'pause' });
  change(move, { playing: { ...playing, isPaused: true } });
}

/** Whether the caller has been quiet for so long. Counts windows; if none arrive, it counts the time. */
function isQuietFor(duration: number, utterance: Utterance, { voice, at }: TurnState): boolean {
  return utterance.quiet >= duration || at >= quietAt(duration, utterance, voice);
}

/** When the caller will have been quiet for so long if no window arrives any more. */
function quietAt(duration: number, { quiet }: Utterance, { heardAt }: Voice): number {
  return heardAt + Math.max(audioGap, duration - quiet);
}

/** The silence that ends the turn after these words. */
export function endOfTurnAfter(text: string, { listening: { expects }, playing }: TurnState): number {
  if (playing?.isPaused && isBackchannel(text)) return afterClearAnswer;
  if (expects === 'yesNo' && isClearAnswer(text)) return afterClearAnswer;
  if (expects === 'phone' && isPhoneNumber(text)) return afterComplete;
  if (expects === 'email' && isEmailAddress(text)) return afterComplete;
  return endsOpenly(text) ? afterOpenEnd : endOfTurn[expects];
}

/** Does what is due for the utterance: transcribes it, or decides what becomes of it. */
export function followUtterance(move: Move): void {
  const { at } = move;
  let { utterance } = move.state;
  if (utterance === undefined) return;
  if (!utterance.isClosed && at >= utterance.begunAt + longestUtterance) {
    utterance = { ...utterance, isClosed: true };
    change(move, { voice: { ...move.state.voice, voiced: 0 } });
  }
  if (
    utterance.transcription === undefined &&
    (utterance.isClosed || isQuietFor(earlyQuiet, utterance, move.state))
  ) {
    const { id, from } = utterance;
    const to = move.state.voice.heardAt;
    // After a stall, many windows end at the same moment: then nothing may lie between the last utterance and this one.
    const hasAudio = from < to;
    if (hasAudio) move.commands.push({ kind: 'transcribe', utterance: id, from, to });
    utterance = { ...utterance, transcription: { to, askedAt: at, text: hasAudio ? undefined : '' } };
  }
  const { transcription } = utterance;
  if (
    transcription !== undefined &&
    transcription.text === undefined &&
    at >= transcription.askedAt + longestTranscription
  )
    utterance = { ...utterance, transcription: { ...transcription, text: '' } };
  change(move, { utterance });
  const text = utterance.transcription?.text;
  if (text === undefined) return;
  if (utterance.isClosed || isQuietFor(endOfTurnAfter(text, move.state), utterance, move.state))
    finish(move, utterance, text);
}

/** The utterance is over, and its words are known: they are the caller's turn, or they are no turn. */
function finish(move: Move, utterance: Utterance, text: string): void {
  const { at, state } = move;
  const takenTo = utterance.transcription?.to ?? at;
  change(move, { utterance: undefined, takenTo });
  if (text === '') {
    const isAnswer = isListening(state) && !utterance.isOverLine && utterance.speech >= leastAnswer;
    if (isAnswer && state.kept === '') send(move, { silent: true });
    return;
  }
  const isAgentsTurn = utterance.isOverLine || !isListening(state);
  if (isAgentsTurn && !utterance.isContinuation && isBackchannel(text) && !answersEarly(text, state)) return;
  cut(move);
  change(move, { kept: state.kept === '' ? text : `${state.kept} ${text}` });
}

/** Whether a "yes" answers a question that still plays. It never does if the caller must hear the question in full. */
function answersEarly(text: string, { playing, listening, turn }: TurnState): boolean {
  const isAsked = turn === undefined || turn.hasListen;
  return isAsked && listening.expects === 'yesNo' && playing?.line.interruptible === true && isYes(text);
}

/** Whether a paused line goes on: no words came, or the utterance was no turn. */
export function isPauseOver(state: TurnState): boolean {
  const { utterance } = state;
  return utterance === undefined || isQuietFor(longestPause, utterance, state);
}

/** When something will be due for the utterance, if nothing else happens before. */
export function utteranceDeadlines(state: TurnState): number[] {
  const { utterance, voice, playing } = state;
  if (utterance === undefined) return [];
  const { transcription, isClosed, begunAt } = utterance;
  const quiet = (duration: number) => quietAt(duration, utterance, voice);
  const deadlines: number[] = [];
  if (!isClosed) deadlines.push(begunAt + longestUtterance);
  if (transcription === undefined) deadlines.push(quiet(earlyQuiet));
  else if (transcription.text === undefined) deadlines.push(transcription.askedAt + longestTranscription);
  else deadlines.push(quiet(endOfTurnAfter(transcription.text, state)));
  if (playing?.isPaused) deadlines.push(quiet(longestPause));
  return deadlines;
}
