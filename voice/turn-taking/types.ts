/** What a step waits for, as Parley's `listen` event says it. */
export type Expected =
  | 'yesNo'
  | 'choice'
  | 'question'
  | 'name'
  | 'phone'
  | 'email'
  | 'date'
  | 'time'
  | 'number'
  | 'text';

/** A line that the agent is to say. */
export interface Line {
  readonly id: number;
  /** The turn of the session to which it belongs. */
  readonly turn: number;
  readonly text: string;
  /** False for a line that the caller must hear in full: the disclosure, the question for consent. */
  readonly interruptible: boolean;
}

/** How a step takes keys: at most so many digits, and so many seconds after the last one. */
export interface Digits {
  readonly most?: number;
  readonly pause: number;
}

/** What happens to a call. `at`: milliseconds of the call's own clock, never decreasing. */
export type TurnEvent =
  /** One window of the caller's audio, 32 ms, that ends at `at`: how probable speech is in it, from 0 to 1. */
  | { readonly kind: 'audio'; readonly at: number; readonly speech: number }
  | { readonly kind: 'digit'; readonly at: number; readonly digit: string }
  /** Parley's turn: a line to say; what the step waits for; the call is over once the lines are said; the turn is stored, or has failed. */
  | { readonly kind: 'say'; readonly at: number; readonly line: Line }
  | {
      readonly kind: 'listen';
      readonly at: number;
      readonly expects: Expected;
      /** Seconds. */
      readonly silence: number;
      readonly digits?: Digits;
    }
  | { readonly kind: 'end'; readonly at: number }
  | { readonly kind: 'turnDone'; readonly at: number }
  | { readonly kind: 'turnFailed'; readonly at: number }
  /**
   * The text of an utterance, as a transcription heard it; empty if it heard no words, or failed.
   * `to` is that of the `transcribe` command, so that the text of a replaced transcription is ignored.
   */
  | {
      readonly kind: 'transcribed';
      readonly at: number;
      readonly utterance: number;
      readonly to: number;
      readonly text: string;
    }
  /** The caller has heard a line to its end, or its speech failed. */
  | { readonly kind: 'played'; readonly at: number; readonly line: number }
  | { readonly kind: 'hungUp'; readonly at: number }
  /** Time has passed: sent at the moment that `wakeAt` names, or later. */
  | { readonly kind: 'tick'; readonly at: number };

/** What the caller tells Parley. */
export type CallerTurn = { readonly text: string } | { readonly digits: string } | { readonly silent: true };

/** What the shell does. */
export type TurnCommand =
  /** Plays a line. The machine plays one at a time; the shell fetches the speech of a line as soon as it is said. */
  | { readonly kind: 'play'; readonly line: Line }
  /** Stops the sound at once, and keeps its place. */
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  /** Drops the rest of the line that plays or is paused. The shell reports what was heard with the next turn. */
  | { readonly kind: 'cut' }
  /** Transcribes the utterance so far. `from` and `to` are moments of the call's clock. A later one of the same utterance replaces it. */
  | { readonly kind: 'transcribe'; readonly utterance: number; readonly from: number; readonly to: number }
  /** Sends a turn of the caller to Parley. */
  | { readonly kind: 'send'; readonly turn: CallerTurn }
  | { readonly kind: 'hangUp' };

export interface TurnOutcome {
  readonly state: TurnState;
  readonly commands: readonly TurnCommand[];
  /** When the machine wants a `tick` at the latest, if nothing else happens before; undefined: never. */
  readonly wakeAt: number | undefined;
}

/** The caller's audio. */
export interface Voice {
  /** The end of its latest window. */
  readonly heardAt: number;
  /** Milliseconds of speech since `since`, without a quiet window between them. */
  readonly voiced: number;
  readonly since: number;
}

export interface Transcription {
  readonly to: number;
  readonly askedAt: number;
  /** Undefined until it arrives. */
  readonly text: string | undefined;
}

/** Speech of the caller that is not sent, kept or dropped yet. */
export interface Utterance {
  readonly id: number;
  readonly begunAt: number;
  /** Where its audio starts. */
  readonly from: number;
  /** Milliseconds of speech in all. */
  readonly speech: number;
  /** Milliseconds of quiet since the last speech. */
  readonly quiet: number;
  /** The agent was speaking during the latest speech. */
  readonly isOverLine: boolean;
  /** It goes on with what was sent just before. */
  readonly isContinuation: boolean;
  /** It has reached its longest length: later speech belongs to the next one. */
  readonly isClosed: boolean;
  /** That of the latest version, if the caller has not gone on speaking since. */
  readonly transcription: Transcription | undefined;
}

/** Digits that the caller enters. */
export interface Entry {
  readonly digits: string;
  readonly lastAt: number;
  readonly isComplete: boolean;
}

export interface Playing {
  readonly line: Line;
  readonly startedAt: number;
  readonly isPaused: boolean;
}

export interface Listening {
  readonly expects: Expected;
  /** Seconds. */
  readonly silence: number;
  readonly digits: Digits | undefined;
}

/** A turn that Parley has, from `send` to `turnDone`. */
export interface SentTurn {
  readonly sentAt: number;
  /** When Parley last reported something of it. */
  readonly answeredAt: number;
  /** The start of the call, which the shell sends. */
  readonly isOpening: boolean;
  /** The agent has started to speak since it was sent. */
  readonly hasSpoken: boolean;
  /** What the step waited for before, in case the turn fails. */
  readonly before: Listening;
  /** Parley has said what the next step waits for. */
  readonly hasListen: boolean;
}

/** Plain data; the machine is a pure function of state and event. */
export interface TurnState {
  readonly at: number;
  readonly startedAt: number;
  /** Either side has hung up. */
  readonly isOver: boolean;
  /** Parley has ended the conversation; the last lines may still play. */
  readonly isEnding: boolean;
  readonly voice: Voice;
  readonly utterance: Utterance | undefined;
  /** How many there were: the id of the latest. */
  readonly utterances: number;
  /** The end of the audio that earlier utterances have taken. */
  readonly takenTo: number;
  /** The caller's words that are due as a turn once Parley can take one. */
  readonly kept: string;
  readonly entry: Entry | undefined;
  readonly playing: Playing | undefined;
  /** Lines that have not started. */
  readonly queue: readonly Line[];
  readonly turn: SentTurn | undefined;
  /** Turns that failed in a row. */
  readonly failures: number;
  readonly listening: Listening;
  /** Since when the silence of the caller counts, if the call waits for the caller. */
  readonly silentSince: number;
}
