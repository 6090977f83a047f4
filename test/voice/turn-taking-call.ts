import { startTurns, takeTurn } from '../../voice/turn-taking/machine.ts';
import type {
  Digits,
  Expected,
  Line,
  TurnCommand,
  TurnEvent,
  TurnOutcome,
} from '../../voice/turn-taking/types.ts';
import { Referee } from './turn-taking-referee.ts';

export interface SaidLine {
  readonly text: string;
  /** Milliseconds that the line takes to play. */
  readonly lasts: number;
  readonly interruptible: boolean;
}

interface PlayingLine {
  readonly id: number;
  left: number;
  isPaused: boolean;
}

interface Due {
  readonly at: number;
  readonly does: () => void;
}

const window = 32;

/** A line that may be interrupted. */
export const line = (text: string, lasts = 2_000): SaidLine => ({ text, lasts, interruptible: true });

/** A line that the caller must hear in full. */
export const notice = (text: string, lasts = 2_000): SaidLine => ({ text, lasts, interruptible: false });

/** One call with a virtual clock: a caller, a shell that plays lines and transcribes, and a Parley that speaks when told to. */
export class Call {
  at: number;
  readonly log: { readonly at: number; readonly what: string }[] = [];
  readonly events: TurnEvent[] = [];
  readonly commands: TurnCommand[] = [];
  readonly referee: Referee;
  /** What a transcription hears, and how long it takes. */
  words = '';
  recognitionTakes = 100;
  /** The words in a piece of audio. */
  recognise: (from: number, to: number) => string = () => this.words;
  /** Called for each turn that is sent. */
  onSend: () => void = () => undefined;
  outcome: TurnOutcome;
  #seen = 0;
  #nextWindowAt: number;
  #hasAudio = true;
  #speech = 0.02;
  #playing: PlayingLine | undefined;
  #lasts = new Map<number, number>();
  #lines = 0;
  #turns = 0;
  #due: Due[] = [];

  constructor(at = 0) {
    this.at = at;
    this.#nextWindowAt = at + window;
    this.outcome = startTurns(at);
    this.referee = new Referee(this.outcome);
  }

  get isOver(): boolean {
    return this.outcome.state.isOver;
  }

  /** The commands since the last look, but for those to transcribe. */
  news(): string[] {
    const news = this.log.slice(this.#seen).map(({ what }) => what);
    this.#seen = this.log.length;
    return news.filter((what) => !what.startsWith('transcribe'));
  }

  /** When something was commanded last. */
  when(what: string): number {
    const entry = this.log.findLast((entry) => entry.what === what);
    if (!entry) throw new Error(`no "${what}" in ${this.log.map((entry) => entry.what).join(', ')}`);
    return entry.at;
  }

  take(event: TurnEvent): void {
    const before = this.outcome;
    this.events.push(event);
    this.outcome = takeTurn(before.state, event);
    this.referee.judge(before, event, this.outcome);
    for (const command of this.outcome.commands) this.#obey(command);
  }

  /** Parley says these lines, and says what it waits for. */
  parley(
    lines: readonly SaidLine[],
    expects: Expected = 'question',
    { silence = 8, digits }: { silence?: number; digits?: Digits } = {},
  ): void {
    for (const said of lines) this.say(said);
    this.take({ kind: 'listen', at: this.at, expects, silence, ...(digits && { digits }) });
    this.done();
  }

  say({ text, lasts, interruptible }: SaidLine): void {
    const id = ++this.#lines;
    this.#lasts.set(id, lasts);
    const said: Line = { id, turn: this.#turns, text, interruptible };
    this.take({ kind: 'say', at: this.at, line: said });
  }

  done(): void {
    this.#turns++;
    this.take({ kind: 'turnDone', at: this.at });
  }

  /** Parley says its last lines. */
  ends(lines: readonly SaidLine[]): void {
    for (const said of lines) this.say(said);
    this.take({ kind: 'end', at: this.at });
    this.done();
  }

  /** The caller speaks. `words` is what a transcription of the utterance hears from now on. */
  speaks(duration: number, words = this.words): void {
    this.words = words;
    this.sounds(duration, 0.9);
  }

  /** The microphone hears something that is speech with this probability. */
  sounds(duration: number, speech: number): void {
    this.#speech = speech;
    this.passes(duration);
    this.#speech = 0.02;
  }

  presses(keys: string): void {
    for (const digit of keys) this.take({ kind: 'digit', at: this.at, digit });
  }

  stopsAudio(): void {
    this.#hasAudio = false;
  }

  startsAudio(): void {
    this.#hasAudio = true;
    this.#nextWindowAt = this.at + window;
  }

  later(delay: number, does: () => void): void {
    this.#due.push({ at: this.at + delay, does });
  }

  /** Time passes, and the shell does what is due in order. */
  passes(duration: number): void {
    const until = this.at + duration;
    for (;;) {
      const next = this.#next();
      if (next === undefined || next.at > until) break;
      this.#advance(next.at);
      next.does();
    }
    this.#advance(until);
  }

  /** The process does nothing for a while: what was due in the meantime comes at once, the tick first. */
  stalls(duration: number): void {
    this.#advance(this.at + duration);
    this.take({ kind: 'tick', at: this.at });
  }

  #next(): Due | undefined {
    const due: Due[] = this.#due.map(({ at, does }) => ({ at, does: () => this.#doOnce(does) }));
    const { wakeAt } = this.outcome;
    if (wakeAt !== undefined) due.push({ at: wakeAt, does: () => this.take({ kind: 'tick', at: this.at }) });
    if (this.#hasAudio) due.push({ at: this.#nextWindowAt, does: () => this.#hear() });
    const playing = this.#playing;
    if (playing && !playing.isPaused)
      due.push({ at: this.at + Math.max(0, playing.left), does: () => this.#endLine(playing.id) });
    let first: Due | undefined;
    for (const entry of due) if (first === undefined || entry.at < first.at) first = entry;
    return first;
  }

  #doOnce(does: () => void): void {
    this.#due = this.#due.filter((entry) => entry.does !== does);
    does();
  }

  #hear(): void {
    this.#nextWindowAt += window;
    this.take({ kind: 'audio', at: this.at, speech: this.#speech });
  }

  #endLine(id: number): void {
    this.#playing = undefined;
    this.take({ kind: 'played', at: this.at, line: id });
  }

  #advance(to: number): void {
    if (to <= this.at) return;
    if (this.#playing && !this.#playing.isPaused) this.#playing.left -= to - this.at;
    this.at = to;
  }

  #obey(command: TurnCommand): void {
    this.commands.push(command);
    this.log.push({ at: this.at, what: inWords(command) });
    switch (command.kind) {
      case 'play':
        this.#playing = {
          id: command.line.id,
          left: this.#lasts.get(command.line.id) ?? 0,
          isPaused: false,
        };
        break;
      case 'pause':
      case 'resume':
        if (this.#playing) this.#playing.isPaused = command.kind === 'pause';
        break;
      case 'cut':
        this.#playing = undefined;
        break;
      case 'transcribe': {
        const { utterance, from, to } = command;
        const text = this.recognise(from, to);
        if (Number.isFinite(this.recognitionTakes))
          this.later(this.recognitionTakes, () =>
            this.take({ kind: 'transcribed', at: this.at, utterance, to, text }),
          );
        break;
      }
      case 'send':
        this.words = '';
        this.onSend();
        break;
      case 'hangUp':
        this.#due = [];
        this.#playing = undefined;
        break;
    }
  }
}

function inWords(command: TurnCommand): string {
  switch (command.kind) {
    case 'play':
      return `play ${command.line.text}`;
    case 'transcribe':
      return `transcribe ${command.from}–${command.to}`;
    case 'send':
      if ('silent' in command.turn) return 'send silence';
      return 'digits' in command.turn ? `send keys ${command.turn.digits}` : `send ${command.turn.text}`;
    case 'pause':
    case 'resume':
    case 'cut':
    case 'hangUp':
      return command.kind;
  }
}
