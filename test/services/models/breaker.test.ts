import { expect, test } from 'vitest';
import { Breaker, usualBreaker } from '../../../src/services/models/breaker.ts';

function newBreaker() {
  let now = 0;
  const breaker = new Breaker(usualBreaker, () => now);
  const fail = (times: number) => {
    for (let count = 0; count < times; count++) breaker.failed();
  };
  return { breaker, fail, advance: (milliseconds: number) => (now += milliseconds) };
}

test('the breaker opens for five seconds after five failures in a row', () => {
  const { breaker, fail, advance } = newBreaker();
  fail(4);
  expect(breaker.allows()).toBe(true);
  fail(1);
  expect(breaker.allows()).toBe(false);
  advance(4_999);
  expect(breaker.allows()).toBe(false);
  advance(1);
  expect(breaker.allows()).toBe(true);
});

test('a success resets the count of failures', () => {
  const { breaker, fail } = newBreaker();
  fail(4);
  breaker.succeeded();
  fail(4);
  expect(breaker.allows()).toBe(true);
});

test('failures that are more than 30 seconds old do not count', () => {
  const { breaker, fail, advance } = newBreaker();
  fail(4);
  advance(30_001);
  fail(1);
  expect(breaker.allows()).toBe(true);
  fail(3);
  expect(breaker.allows()).toBe(true);
  fail(1);
  expect(breaker.allows()).toBe(false);
});

test('an open breaker allows one trial at a time, whose result closes or reopens it', () => {
  const { breaker, fail, advance } = newBreaker();
  fail(5);
  advance(5_000);
  expect([breaker.allows(), breaker.allows()]).toStrictEqual([true, false]);
  fail(1);
  expect(breaker.allows()).toBe(false);
  advance(5_000);
  expect(breaker.allows()).toBe(true);
  // The caller left, so the result is unknown and the next call is the trial.
  breaker.abandoned();
  expect([breaker.allows(), breaker.allows()]).toStrictEqual([true, false]);
  breaker.succeeded();
  expect([breaker.allows(), breaker.allows()]).toStrictEqual([true, true]);
});
