/** Milliseconds after which a recording ends by itself: nobody speaks longer in one turn. */
const longestTurn = 60_000;

/** True if the page may record: it came over HTTPS, and the browser can. */
export const canRecord = (): boolean => 'mediaDevices' in navigator && 'MediaRecorder' in globalThis;

/** Records one turn of the visitor at a time. */
export class Recorder {
  readonly #recorded: (recording: Blob) => void;
  readonly #changed: () => void;
  #recorder: MediaRecorder | undefined;
  #isAsking = false;
  #isWanted = false;

  /**
   * @param recorded gets each turn
   * @param changed is called when recording begins and ends
   */
  constructor(recorded: (recording: Blob) => void, changed: () => void) {
    this.#recorded = recorded;
    this.#changed = changed;
  }

  get isRecording(): boolean {
    return this.#recorder !== undefined;
  }

  /**
   * Asks for the microphone, and begins.
   * @throws DOMException if the visitor or the browser refuses, or there is no microphone
   */
  async start(): Promise<void> {
    if (this.#isAsking || this.#recorder) return;
    this.#isAsking = true;
    this.#isWanted = true;
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).finally(() => {
      this.#isAsking = false;
    });
    const release = () => {
      for (const track of stream.getTracks()) track.stop();
    };
    // The visitor has closed the dialog while the browser asked.
    if (!this.#isWanted) {
      release();
      return;
    }
    const recorder = new MediaRecorder(stream);
    const pieces: Blob[] = [];
    const timer = setTimeout(() => this.finish(), longestTurn);
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
    recorder.addEventListener('stop', () => {
      clearTimeout(timer);
      release();
      this.#recorder = undefined;
      this.#changed();
      if (this.#isWanted) this.#recorded(new Blob(pieces, { type: recorder.mimeType }));
    });
    this.#recorder = recorder;
    recorder.start();
    this.#changed();
  }

  /** Ends the turn, and passes it on. */
  finish(): void {
    this.#recorder?.stop();
  }

  /** Ends the turn, and forgets it. */
  discard(): void {
    this.#isWanted = false;
    this.#recorder?.stop();
  }
}
