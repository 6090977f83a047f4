/** Plays spoken lines, one after another. It needs nothing of the `media-src` of the page's policy. */
export class Speaker {
  #context: AudioContext | undefined;
  readonly #playing = new Set<AudioBufferSourceNode>();
  /** The time of the context at which the last line ends. */
  #end = 0;
  /** Settles once the line before is scheduled. */
  #last: Promise<void> = Promise.resolve();
  /** Raised by each stop, so that lines from before it are not played. */
  #stops = 0;

  /** Browsers let a page play sound once the visitor has clicked; so this is called by a click. */
  allow(): void {
    this.#context ??= new AudioContext();
    void this.#context.resume();
  }

  /** Plays a line after those before it. */
  speak(base64: string): void {
    if (this.#context) this.#last = this.#play(this.#context, base64, this.#last, this.#stops);
  }

  async #play(context: AudioContext, base64: string, before: Promise<void>, stops: number): Promise<void> {
    const sound = await decode(context, base64);
    await before;
    if (!sound || stops !== this.#stops) return;
    const source = context.createBufferSource();
    source.buffer = sound;
    source.connect(context.destination);
    source.addEventListener('ended', () => this.#playing.delete(source));
    this.#playing.add(source);
    const start = Math.max(context.currentTime, this.#end);
    this.#end = start + sound.duration;
    source.start(start);
  }

  /** Falls silent at once. */
  stop(): void {
    this.#stops += 1;
    this.#end = 0;
    for (const source of this.#playing) source.stop();
    this.#playing.clear();
  }
}

/** Undefined if the browser cannot play it: the line stands in the log. */
async function decode(context: AudioContext, base64: string): Promise<AudioBuffer | undefined> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  try {
    return await context.decodeAudioData(bytes.buffer);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'EncodingError') return undefined;
    throw error;
  }
}
