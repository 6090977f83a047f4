/** Samples per second of a caller's audio. */
export const hearingRate = 16_000;
/** Samples of a window, the piece for which the voice activity model says how probable speech is in it: 32 ms. */
export const windowLength = 512;

const windowDuration = (windowLength / hearingRate) * 1000;

/** Keeps the last minute of a caller's audio, so that an utterance can be transcribed. */
export class RecentAudio {
  readonly #samples: Int16Array;
  /** When each window ended. */
  readonly #ends: Float64Array;
  readonly #capacity: number;
  #count = 0;

  constructor(seconds = 60) {
    this.#capacity = Math.ceil((seconds * 1000) / windowDuration);
    this.#samples = new Int16Array(this.#capacity * windowLength);
    this.#ends = new Float64Array(this.#capacity);
  }

  /** Adds a window that ended at `at`, in milliseconds of the call's clock. */
  add(window: Int16Array, at: number): void {
    const place = this.#count % this.#capacity;
    this.#samples.set(window, place * windowLength);
    this.#ends[place] = at;
    this.#count++;
  }

  /** Returns the windows between two moments of the call's clock, as far as they are kept. */
  between(from: number, to: number): Int16Array {
    const places: number[] = [];
    for (let index = Math.max(0, this.#count - this.#capacity); index < this.#count; index++) {
      const place = index % this.#capacity;
      const end = this.#ends[place] ?? 0;
      if (end > from && end - windowDuration < to) places.push(place);
    }
    const part = new Int16Array(places.length * windowLength);
    for (const [index, place] of places.entries()) {
      const start = place * windowLength;
      part.set(this.#samples.subarray(start, start + windowLength), index * windowLength);
    }
    return part;
  }
}

/** Cuts audio that arrives in frames of any length into windows. */
export class Windows {
  #rest = new Int16Array(0);

  /** Returns the windows that the frame completes. */
  take(frame: Int16Array): Int16Array[] {
    if (this.#rest.length === 0 && frame.length === windowLength) return [frame];
    const all = new Int16Array(this.#rest.length + frame.length);
    all.set(this.#rest);
    all.set(frame, this.#rest.length);
    const windows: Int16Array[] = [];
    let at = 0;
    for (; at + windowLength <= all.length; at += windowLength)
      windows.push(all.slice(at, at + windowLength));
    this.#rest = all.slice(at);
    return windows;
  }
}

/** A WAV file of mono 16-bit samples, 16 kHz. */
export function wavOf(samples: Int16Array): Buffer<ArrayBuffer> {
  const bytes = samples.length * 2;
  const file = Buffer.alloc(44 + bytes);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + bytes, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(hearingRate, 24);
  file.writeUInt32LE(hearingRate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(bytes, 40);
  for (const [index, sample] of samples.entries()) file.writeInt16LE(sample, 44 + index * 2);
  return file;
}
