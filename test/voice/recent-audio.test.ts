import { describe, expect, it } from 'vitest';
import { RecentAudio, Windows, wavOf, windowLength } from '../../voice/recent-audio.ts';

const windowOf = (value: number) => new Int16Array(windowLength).fill(value);
/** The value of each window in a part. */
const valuesIn = (part: Int16Array) => Array.from(part.filter((_, index) => index % windowLength === 0));

describe('the recent audio of a caller', () => {
  it('returns the windows between two moments, in their order', () => {
    const recent = new RecentAudio();
    for (let index = 1; index <= 10; index++) recent.add(windowOf(index), index * 32);
    expect(valuesIn(recent.between(64, 160))).toEqual([3, 4, 5]);
    expect(valuesIn(recent.between(80, 140))).toEqual([3, 4, 5]);
    expect(valuesIn(recent.between(400, 500))).toEqual([]);
  });

  it('forgets what is older than it keeps', () => {
    const recent = new RecentAudio(0.128);
    for (let index = 1; index <= 10; index++) recent.add(windowOf(index), index * 32);
    expect(valuesIn(recent.between(0, 1000))).toEqual([7, 8, 9, 10]);
  });

  it('cuts frames of any length into windows without losing a sample', () => {
    const windows = new Windows();
    let sample = 0;
    const taken = [100, 512, 1000, 412, 24].flatMap((length) =>
      windows.take(Int16Array.from({ length }, () => sample++)),
    );
    expect(taken.flatMap((window) => Array.from(window))).toEqual(
      Array.from({ length: 2048 }, (_, index) => index),
    );
  });

  it('writes a WAV file of 16 kHz, 16 bits, mono', () => {
    const file = wavOf(Int16Array.of(1, -2, 3));
    expect(file.toString('latin1', 0, 4)).toBe('RIFF');
    expect([
      file.readUInt32LE(4),
      file.readUInt16LE(22),
      file.readUInt32LE(24),
      file.readUInt32LE(28),
    ]).toEqual([42, 1, 16_000, 32_000]);
    expect([file.readInt16LE(44), file.readInt16LE(46), file.readInt16LE(48)]).toEqual([1, -2, 3]);
  });
});
