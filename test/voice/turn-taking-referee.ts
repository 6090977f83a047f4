import type { Line, TurnCommand, TurnEvent, TurnOutcome } from '../../voice/turn-taking/types.ts';

/** How long a line may stay paused: the longest utterance, its longest transcription, and the longest pause, with a margin. */
const longestPaused = 30_000 + 10_000 + 1_500 + 1_500;

/** Judges every outcome of a call by the rules that always hold. It keeps its own books, from events and commands alone. */
export class Referee {
  readonly said: Line[] = [];
  readonly played: Line[] = [];
  cuts = 0;
  #isOver = false;
  #isEnding = false;
  #isWithParley = true;
  #playing: Line | undefined;
  #pausedAt: number | undefined;
  #utterance = 0;
  #transcribedTo: number;
  #mostDigits: number | undefined;

  constructor(start: TurnOutcome) {
    this.#transcribedTo = start.state.at;
    this.#judgeClock(start);
  }

  judge(before: TurnOutcome, event: TurnEvent, after: TurnOutcome): void {
    must(after.state.at >= before.state.at, 'time never goes back');
    must(after.state.at >= event.at, 'the state is as new as its event');
    must(after.commands.length === 0 || !this.#isOver, 'no commands after the call is over');
    if (event.kind === 'tick') this.#judgeTick(before, event.at, after);
    this.#note(event);
    for (const command of after.commands) this.#judgeCommand(command, after.state.at);
    this.#judgeClock(after);
    must(
      this.#pausedAt === undefined || after.state.at <= this.#pausedAt + longestPaused || this.#isOver,
      'a paused line goes on or is cut',
    );
  }

  /** Judges a call that Parley has ended, and in which nobody has hung up before. */
  judgeGoodbye(): void {
    const due = this.said.filter((line) => !line.interruptible);
    const heard = this.played.filter((line) => !line.interruptible);
    must(due.length === heard.length, 'every uninterruptible line is played');
  }

  #judgeClock({ state, wakeAt }: TurnOutcome): void {
    must((wakeAt === undefined) === state.isOver, 'the machine sleeps until the call is over');
    must(wakeAt === undefined || wakeAt > state.at, 'wakeAt lies in the future');
  }

  /** `wakeAt` is exact: before it, a tick does nothing; at it, something happens. So ticks alone never run in a circle. */
  #judgeTick({ state, wakeAt }: TurnOutcome, at: number, after: TurnOutcome): void {
    if (wakeAt === undefined) return;
    const isDue = at >= wakeAt;
    const hasChanged =
      after.commands.length > 0 ||
      JSON.stringify({ ...state, at: 0 }) !== JSON.stringify({ ...after.state, at: 0 });
    must(!isDue || hasChanged, 'a tick at wakeAt makes progress');
    must(isDue || !hasChanged, 'a tick before wakeAt does nothing');
  }

  #note(event: TurnEvent): void {
    switch (event.kind) {
      case 'say':
        this.said.push(event.line);
        break;
      case 'played':
        if (this.#playing?.id === event.line) this.#endLine();
        break;
      case 'listen':
        this.#mostDigits = event.digits?.most;
        break;
      case 'turnDone':
      case 'turnFailed':
        this.#isWithParley = false;
        break;
      case 'end':
        this.#isEnding = true;
        break;
      case 'hungUp':
        this.#isOver = true;
        break;
      case 'audio':
      case 'digit':
      case 'transcribed':
      case 'tick':
        break;
    }
  }

  #judgeCommand(command: TurnCommand, at: number): void {
    must(!this.#isOver, 'no commands after the call is over');
    switch (command.kind) {
      case 'play':
        this.#judgePlay(command.line);
        break;
      case 'pause':
        must(this.#playing !== undefined && this.#pausedAt === undefined, 'pauses a line that plays');
        must(this.#playing?.interruptible, 'pauses only a line that may be interrupted');
        this.#pausedAt = at;
        break;
      case 'resume':
        must(this.#pausedAt !== undefined, 'resumes a paused line');
        this.#pausedAt = undefined;
        break;
      case 'cut':
        must(this.#playing?.interruptible, 'cuts only a line that may be interrupted');
        this.cuts++;
        this.#endLine();
        break;
      case 'transcribe':
        must(command.from < command.to && command.to <= at, 'transcribes audio that has arrived');
        must(command.utterance >= this.#utterance, 'never returns to an earlier utterance');
        must(
          command.utterance === this.#utterance || command.from >= this.#transcribedTo,
          'two utterances share no audio',
        );
        if (command.utterance !== this.#utterance) this.#utterance = command.utterance;
        this.#transcribedTo = command.to;
        break;
      case 'send':
        must(!this.#isWithParley, 'sends no turn before Parley is done with the last');
        must(!this.#isEnding, 'sends nothing after the end');
        must(this.#playing === undefined, 'sends nothing while the agent speaks');
        this.#judgeTurn(command.turn);
        this.#isWithParley = true;
        break;
      case 'hangUp':
        this.#isOver = true;
        break;
    }
  }

  #judgePlay(line: Line): void {
    must(this.#playing === undefined, 'plays one line at a time');
    const position = this.said.indexOf(line);
    must(position !== -1, 'plays what was said');
    const last = this.played.at(-1);
    must(last === undefined || this.said.indexOf(last) < position, 'plays lines in order, each once');
    const skipped = this.said.slice(last === undefined ? 0 : this.said.indexOf(last) + 1, position);
    must(
      skipped.every((line) => line.interruptible),
      'drops only lines that may be interrupted',
    );
    this.played.push(line);
    this.#playing = line;
  }

  #judgeTurn(turn: (TurnCommand & { kind: 'send' })['turn']): void {
    if ('text' in turn) must(turn.text.trim() !== '', 'sends no empty text');
    if ('digits' in turn) {
      must(/^[0-9*A-D]+$/u.test(turn.digits), 'sends digits without the terminator');
      must(turn.digits.length <= (this.#mostDigits ?? 99), 'sends no more digits than the step takes');
    }
  }

  #endLine(): void {
    this.#playing = undefined;
    this.#pausedAt = undefined;
  }
}

function must(holds: boolean | undefined, rule: string): void {
  if (!holds) throw new Error(`This does not hold: ${rule}.`);
}
