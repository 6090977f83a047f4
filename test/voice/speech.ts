import { execFileSync } from 'node:child_process';
import { findProgram } from '../helpers/find-program.ts';

const espeak = findProgram(['espeak-ng'], []);
const spoken = new Map<string, Int16Array>();

/** Returns a text as espeak-ng speaks it, at this many samples per second, without silence at its ends. */
export function speech(text: string, rate: number): Int16Array {
  const key = `${rate} ${text}`;
  const known = spoken.get(key);
  if (known) return known;
  if (espeak === undefined) throw new Error('espeak-ng is not installed.');
  const wav = execFileSync(espeak, ['-v', 'en-us+f3', '-s', '150', '--stdout', text]);
  const samples = new Int16Array(
    wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + wav.length - (wav.length % 2)),
  );
  const result = trimmed(resampled(samples, wav.readUInt32LE(24), rate));
  spoken.set(key, result);
  return result;
}

/** True if a frame is louder than the noise of a codec. */
export function isLoud(samples: Int16Array): boolean {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length) > 120;
}

function resampled(samples: Int16Array, from: number, to: number): Int16Array {
  return Int16Array.from({ length: Math.floor((samples.length * to) / from) }, (_, index) => {
    const place = (index * from) / to;
    const before = samples[Math.floor(place)] ?? 0;
    const after = samples[Math.floor(place) + 1] ?? 0;
    return before + (after - before) * (place % 1);
  });
}

function trimmed(samples: Int16Array): Int16Array {
  const isAudible = (sample: number) => Math.abs(sample) > 100;
  return samples.slice(samples.findIndex(isAudible), samples.findLastIndex(isAudible) + 1);
}
