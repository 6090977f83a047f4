import { speech } from './speech.ts';

/** Samples per second of what callers say. */
const rate = 16_000;
/** Samples of one value of an envelope: 20 ms. */
const frame = 320;
/** Frames by which a recording may begin before or after the words. */
const longestShift = 50;
/** Frames that are compared at once, and by which each may lie further on or back: a busy machine loses some sound. */
const [chunk, slack] = [50, 12];
/** How alike two envelopes are at least. Those of different sentences are at most 0.6 alike. */
const alike = 0.7;

/**
 * Recognises what one of several callers says, by the loudness over time of the words that they may say. It stands in for a
 * transcription, so that a test hears whether the words arrived, and how many of them: a recording that ends early has fewer.
 */
export class Ear {
  readonly #words = new Map<string, Float64Array>();

  /** Somebody is about to say this. */
  expect(text: string): void {
    if (!this.#words.has(text)) this.#words.set(text, envelopeOf(speech(text, rate)));
  }

  /** Nobody says this any more. */
  forget(text: string): void {
    this.#words.delete(text);
  }

  /** What was said in a recording with a WAV header of 44 bytes; empty if it is none of what may be said. */
  hear(wav: Buffer): string {
    const pcm = wav.subarray(44);
    const samples = new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + (pcm.length & ~1)));
    const heard = envelopeOf(samples);
    let best = { text: '', score: alike, frames: 0, of: 1 };
    for (const [text, words] of this.#words)
      for (let shift = -longestShift; shift <= longestShift; shift += 2) {
        const { score, frames } = likeness(words, heard, shift);
        if (score > best.score) best = { text, score, frames, of: words.length };
      }
    // A recording that ends in the middle holds as many words as fit.
    const isWhole = best.frames >= best.of - 15;
    const words = best.text.split(' ');
    return isWhole ? best.text : words.slice(0, Math.floor((words.length * best.frames) / best.of)).join(' ');
  }
}

/** The loudness of a sound over time. */
function envelopeOf(samples: Int16Array): Float64Array {
  return Float64Array.from({ length: Math.floor(samples.length / frame) }, (_, index) => {
    let sum = 0;
    for (const sample of samples.subarray(index * frame, (index + 1) * frame)) sum += sample * sample;
    return Math.sqrt(sum / frame);
  });
}

/**
 * How alike words and a recording are that begins `shift` frames before them, and how many frames of the words it holds. Compares
 * one chunk after another, each at the shift that fits best.
 */
function likeness(words: Float64Array, heard: Float64Array, shift: number) {
  let [at, sum, frames] = [shift, 0, 0];
  for (let from = Math.max(0, -shift); from < words.length; from += chunk) {
    const length = Math.min(chunk, words.length - from, heard.length - from - at);
    // Too short to tell one sound from another.
    if (length < 15) break;
    let best = { score: -1, at };
    const reach = from === Math.max(0, -shift) ? 0 : slack;
    for (let next = at - reach; next <= at + reach; next++) {
      const score = correlation(words.subarray(from, from + length), heard, from + next);
      if (score > best.score) best = { score, at: next };
    }
    ({ at } = best);
    sum += best.score * length;
    frames = from + length;
  }
  if (frames < 15) return { score: 0, frames: 0 };
  // What the recording holds besides counts against it: a short sentence is part of many longer ones.
  const share = Math.min(1, (frames + 25) / Math.max(1, heard.length - Math.max(0, shift)));
  return { score: (sum / frames) * share, frames };
}

function correlation(words: Float64Array, heard: Float64Array, from: number): number {
  const part = heard.subarray(Math.max(0, from), from + words.length);
  if (from < 0 || part.length < words.length) return -1;
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [one, other] = [mean(words), mean(part)];
  let [product, squareOne, squareOther] = [0, 0, 0];
  for (const [index, value] of words.entries()) {
    const [x, y] = [value - one, (part[index] ?? 0) - other];
    product += x * y;
    squareOne += x * x;
    squareOther += y * y;
  }
  return product / Math.sqrt(squareOne * squareOther || 1);
}
