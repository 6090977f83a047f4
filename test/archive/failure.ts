import { expect } from 'vitest';
import type { Outcome } from '../helpers/parley.ts';

/** The one line of a failed archive command, without its progress lines. */
export function failureOf({ code, stdout, stderr }: Outcome): string {
  const lines = stderr.split('\n').filter((line) => !/^\w+: \d+ rows$/.test(line));
  expect({ code, stdout, lines: lines.length, end: lines.at(-1) }, stderr).toStrictEqual({
    code: 1,
    stdout: '',
    lines: 2,
    end: '',
  });
  expect(lines[0]).toMatch(/^parley: Cannot /);
  return lines[0] ?? '';
}
