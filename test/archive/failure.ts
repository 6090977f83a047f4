import { expect } from 'vitest';
import type { Outcome } from '../command/parley.ts';

/** The one line with which a command over an archive failed, besides those that tell how far it came. */
export function failureOf({ code, stdout, stderr }: Outcome): string {
  const lines = stderr.split('\n').filter((line) => !/^\w+: \d+ rows$/.test(line));
  expect({ code, stdout, lines: lines.length, end: lines.at(-1) }, stderr).toStrictEqual({
    code: 1,
    stdout: '',
    lines: 2,
    end: '',
  });
  expect(lines[0]).toMatch(/^parley: cannot /);
  return lines[0] ?? '';
}
