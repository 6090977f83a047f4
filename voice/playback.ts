import { AudioFrame, AudioSource } from '@livekit/rtc-node';
import { type Log, messageOf } from './log.ts';
import type { Line } from './turn-taking/types.ts';

/** Samples per second of the agent's track. */
export const speechRate = 24_000;
/** Samples of a frame: 20 ms. */
const frameLength = 480;
const frameDuration = 20;
/** Milliseconds of sound that wait in the track: enough to bridge a pause of the process, and little to lose at a cut. */
const queueDuration = 120;
/** Frames of one line that wait to be played: 30 s. The stream of a longer line stops until there is room. */
const mostWaiting = 1500;
/** Lines whose speech is fetched at the same time: the one that plays and the next. */
const linesAhead = 2;
/** Attempts to get the speech of a line. */
const attempts = 2;
/** Frames per character of speech whose length is not known yet: 15 characters a second. */
const usualFramesPerCharacter = 1000 / frameDuration / 15;

/** Returns the speech of a text: 16-bit samples, mono, 24 kHz. */
export type Speak = (text: string, signal: AbortSignal) => AsyncIterable<Uint8Array>;

export interface PlaybackOptions {
  readonly speak: Speak;
  /** The caller has heard the line to its end. */
  readonly played: (line: Line) => void;
  /** The first sound of the line goes out. */
  readonly started: (line: Line) => void;
  /** The track takes no more sound. */
  readonly failed: (error: unknown) => void;
  readonly log: Log;
}

/** How much of a line a caller has heard who then interrupted it. */
export interface HeardLine {
  readonly line: Line;
  readonly text: string;
}

/** A frame that the track has, and that the caller may not have heard yet. */
interface QueuedFrame {
  readonly speech: LineSpeech;
  readonly samples: Int16Array;
}

/** Plays lines into the agent's track, and knows how much of them the caller has heard. */
export class Playback {
  readonly source = new AudioSource(speechRate, 1, queueDuration);
  readonly #options: PlaybackOptions;
  /** The lines that play, and are not heard to their end, in their order. */
  #lines: LineSpeech[] = [];
  /** The lines that are to be played later, in their order. */
  readonly #prepared: LineSpeech[] = [];
  /** Frames in the track's queue, oldest first. */
  #queued: QueuedFrame[] = [];
  /** Frames that a pause took back from the queue. They are played first. */
  #returned: QueuedFrame[] = [];
  readonly #running: Promise<void>;
  #isPaused = false;
  #isClosed = false;
  /** Settled and replaced whenever there may be something to play. */
  #wake = Promise.withResolvers<void>();

  constructor(options: PlaybackOptions) {
    this.#options = options;
    this.#running = this.#run().catch(options.failed);
  }

  /** Fetches the speech of a line that will be played after those before it. */
  prepare(line: Line): void {
    if (this.#isClosed) return;
    this.#prepared.push(this.#speechOf(line));
    this.#fetchAhead();
  }

  /** Plays a line. Lines that were prepared before it are not played any more. */
  play(line: Line): void {
    if (this.#isClosed) return;
    const place = this.#prepared.findIndex((speech) => speech.line.id === line.id);
    const speech = this.#prepared[place] ?? this.#speechOf(line);
    for (const dropped of this.#prepared.splice(0, place + 1)) if (dropped !== speech) dropped.close();
    this.#lines.push(speech);
    this.#fetchAhead();
    this.#notify();
  }

  /** Drops the lines that were prepared and not played. */
  forgetPrepared(): void {
    for (const speech of this.#prepared.splice(0)) speech.close();
  }

  /** Stops the sound at once, and keeps its place. */
  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#countHeard();
    this.source.clearQueue();
    this.#returned = [...this.#queued, ...this.#returned];
    this.#queued = [];
  }

  resume(): void {
    this.#isPaused = false;
    this.#notify();
  }

  /** Drops what plays. Returns the lines that were not heard to their end, with what was heard of them. */
  cut(): readonly HeardLine[] {
    this.pause();
    const heard = this.#lines.map((speech) => ({ line: speech.line, text: speech.heardText() }));
    for (const speech of this.#lines) speech.close();
    this.#lines = [];
    this.#returned = [];
    this.resume();
    return heard;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.cut();
    this.forgetPrepared();
    // The source must not go while it takes a frame.
    await this.#running;
    await this.source.close();
  }

  /** Moves frames into the track until the playback is closed. */
  async #run(): Promise<void> {
    while (!this.#isClosed) {
      this.#countHeard();
      const next = this.#isPaused ? undefined : (this.#returned.shift() ?? this.#nextFrame());
      if (next) await this.#capture(next);
      else await this.#somethingToPlay();
    }
  }

  async #capture(frame: QueuedFrame): Promise<void> {
    const { speech, samples } = frame;
    if (!speech.hasStarted) this.#options.started(speech.line);
    speech.hasStarted = true;
    this.#queued.push(frame);
    await this.source.captureFrame(new AudioFrame(samples, speechRate, 1, samples.length));
  }

  #nextFrame(): QueuedFrame | undefined {
    for (const speech of this.#lines) {
      const samples = speech.take();
      if (samples) return { speech, samples };
      if (!speech.isTaken) return undefined;
    }
    return undefined;
  }

  /** Waits for speech, for the end of a pause, or for the queue to empty, whichever is first. */
  async #somethingToPlay(): Promise<void> {
    const timer = this.#queued.length > 0 ? setTimeout(() => this.#notify(), frameDuration) : undefined;
    await this.#wake.promise;
    clearTimeout(timer);
  }

  #notify(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }

  /** Counts the frames that have left the queue, and reports the lines that end with them. */
  #countHeard(): void {
    const waiting = Math.ceil(this.source.queuedDuration / frameDuration);
    for (const { speech } of this.#queued.splice(0, Math.max(0, this.#queued.length - waiting)))
      speech.heard++;
    while (this.#lines[0]?.isHeard) {
      const [{ line }] = this.#lines.splice(0, 1) as [LineSpeech];
      this.#fetchAhead();
      this.#options.played(line);
    }
  }

  #speechOf(line: Line): LineSpeech {
    const { speak, log } = this.#options;
    return new LineSpeech(line, speak, log, () => this.#notify());
  }

  #fetchAhead(): void {
    for (const speech of [...this.#lines, ...this.#prepared].slice(0, linesAhead)) speech.fetch();
  }
}

/** The speech of one line: it arrives in pieces and leaves in frames. */
class LineSpeech {
  readonly line: Line;
  /** Frames that the caller has heard. */
  heard = 0;
  /** True once the first frame has gone out. */
  hasStarted = false;
  readonly #speak: Speak;
  readonly #log: Log;
  readonly #arrived: () => void;
  readonly #abort = new AbortController();
  #frames: Int16Array[] = [];
  #received = 0;
  #taken = 0;
  #isFetched = false;
  #isComplete = false;
  #room = Promise.withResolvers<void>();

  constructor(line: Line, speak: Speak, log: Log, arrived: () => void) {
    this.line = line;
    this.#speak = speak;
    this.#log = log;
    this.#arrived = arrived;
  }

  /** True if all frames have been taken. A line without speech counts as played: it must not stop the call. */
  get isTaken(): boolean {
    return this.#isComplete && this.#taken === this.#received;
  }

  get isHeard(): boolean {
    return this.#isComplete && this.heard === this.#received;
  }

  /** Starts to fetch the speech. */
  fetch(): void {
    if (this.#isFetched) return;
    this.#isFetched = true;
    void this.#fetch();
  }

  take(): Int16Array | undefined {
    const frame = this.#frames.shift();
    if (!frame) return undefined;
    this.#taken++;
    this.#room.resolve();
    return frame;
  }

  /** How the line begins, as far as the caller heard it: whole words, by the share of its frames. */
  heardText(): string {
    const { text } = this.line;
    const expected = this.#isComplete
      ? this.#received
      : Math.max(this.#received, text.length * usualFramesPerCharacter);
    const length = expected === 0 ? 0 : Math.floor((text.length * this.heard) / expected);
    if (length >= text.length || /\s/.test(text.charAt(length))) return text.slice(0, length).trimEnd();
    return text.slice(0, length).replace(/\S+$/, '').trimEnd();
  }

  /** Stops fetching, and drops the frames. */
  close(): void {
    this.#abort.abort();
    this.#frames = [];
    this.#room.resolve();
  }

  async #fetch(): Promise<void> {
    for (let attempt = 1; attempt <= attempts && !this.#abort.signal.aborted; attempt++) {
      try {
        await this.#receive();
        break;
      } catch (error) {
        if (this.#abort.signal.aborted) break;
        this.#log('speech-failed', { characters: this.line.text.length, attempt, reason: messageOf(error) });
        // A repetition would say the beginning twice.
        if (this.#received > 0) break;
      }
    }
    this.#isComplete = true;
    this.#arrived();
  }

  async #receive(): Promise<void> {
    let frame = new Uint8Array(frameLength * 2);
    let filled = 0;
    for await (const piece of this.#speak(this.line.text, this.#abort.signal)) {
      for (let at = 0; at < piece.length; ) {
        const part = piece.subarray(at, at + frame.length - filled);
        frame.set(part, filled);
        at += part.length;
        filled += part.length;
        if (filled < frame.length) break;
        this.#add(frame);
        frame = new Uint8Array(frameLength * 2);
        filled = 0;
      }
      while (this.#frames.length > mostWaiting && !this.#abort.signal.aborted) await this.#hasRoom();
    }
    if (filled > 0) this.#add(frame);
  }

  #add(bytes: Uint8Array<ArrayBuffer>): void {
    // The track reads the whole buffer of a frame, so each frame has its own.
    this.#frames.push(new Int16Array(bytes.buffer));
    this.#received++;
    this.#arrived();
  }

  async #hasRoom(): Promise<void> {
    this.#room = Promise.withResolvers<void>();
    await this.#room.promise;
  }
}
