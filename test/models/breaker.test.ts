import { expect, test } from 'vitest';
import { Breaker, usualBreaker } from '../../src/models/breaker.ts';

function trial() {
  let now = 0;
  const breaker = new Breaker(usualBreaker, () => now);
  const fails = (times: number) => {
    for (let count = 0; count < times; count++) breaker.failed();
  };
  return { breaker, fails, passes: (time: number) => (now += time) };
}

test('five failures in a row open it for five seconds', () => {
  const { breaker, fails, passes } = trial();
  fails(4);
  expect(breaker.allows()).toBe(true);
  fails(1);
  expect(breaker.allows()).toBe(false);
  passes(4_999);
  expect(breaker.allows()).toBe(false);
  passes(1);
  expect(breaker.allows()).toBe(true);
});

test('a success between them starts the row anew', () => {
  const { breaker, fails } = trial();
  fails(4);
  breaker.succeeded();
  fails(4);
  expect(breaker.allows()).toBe(true);
});

test('failures of more than 30 seconds ago do not count', () => {
  const { breaker, fails, passes } = trial();
  fails(4);
  passes(30_001);
  fails(1);
  expect(breaker.allows()).toBe(true);
  fails(3);
  expect(breaker.allows()).toBe(true);
  fails(1);
  expect(breaker.allows()).toBe(false);
});

test('one call at a time tries again, and its end decides', () => {
  const { breaker, fails, passes } = trial();
  fails(5);
  passes(5_000);
  expect([breaker.allows(), breaker.allows()]).toStrictEqual([true, false]);
  fails(1);
  expect(breaker.allows()).toBe(false);
  passes(5_000);
  expect(breaker.allows()).toBe(true);
  // Its caller left: nothing is known, and the next one tries.
  breaker.abandoned();
  expect([breaker.allows(), breaker.allows()]).toStrictEqual([true, false]);
  breaker.succeeded();
  expect([breaker.allows(), breaker.allows()]).toStrictEqual([true, true]);
});
