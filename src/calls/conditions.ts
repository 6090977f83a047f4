import type { HookNode } from '../design/schema/design.ts';
import type { Json } from './json-value.ts';
import { textOf } from './templates.ts';

type Branch = NonNullable<HookNode['condition']>['branches'][number];
export type Predicate = Extract<Branch, { predicate: unknown }>['predicate'];

/**
 * Decides a predicate on the value of its variable. Numbers are compared as numbers if both sides are numbers. A variable
 * without a value equals the empty text.
 */
export function holds({ operator, value: expected = '' }: Predicate, value: Json | undefined): boolean {
  const isThere = value !== undefined && value !== null && value !== '';
  switch (operator) {
    case 'exists':
      return isThere;
    case 'not_exists':
      return !isThere;
    case 'eq':
      return isEqual(value ?? '', expected);
    case 'neq':
      return !isEqual(value ?? '', expected);
    case 'contains':
      return isThere && contains(value, expected);
    case 'gt':
    case 'lt':
      return isThere && isOrdered(operator, value, expected);
  }
}

function isEqual(value: Json, expected: string): boolean {
  const [one, other] = [numberOf(value), numberOf(expected)];
  return one !== undefined && other !== undefined ? one === other : textOf(value) === expected;
}

function contains(value: Json, expected: string): boolean {
  if (Array.isArray(value)) return value.some((item: Json) => isEqual(item, expected));
  return textOf(value).toLowerCase().includes(expected.toLowerCase());
}

function isOrdered(operator: 'gt' | 'lt', value: Json, expected: string): boolean {
  const [one, other] = [numberOf(value), numberOf(expected)];
  const [left, right] = one !== undefined && other !== undefined ? [one, other] : [textOf(value), expected];
  return operator === 'gt' ? left > right : left < right;
}

function numberOf(value: Json): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^\s*[-+]?\d+(?:\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value);
}
