import { holdsHalfPair, holdsNul, LongText } from '../platform/long-text.ts';
import type { JsonObject } from './result.ts';

const maximumDepth = 64;
const maximumProblems = 50;

/** Something in a JSON value that is not accepted, with its path from the top. */
export interface JsonProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Finds what parsed JSON may hold but Postgres, JSON or JavaScript would reject or silently change: more than 64
 * levels, NUL, lone surrogates, `__proto__`, numbers beyond a double or beyond 2^53 (`reliability#input`).
 */
export function jsonProblems(value: unknown): JsonProblem[] {
  const problems: JsonProblem[] = [];
  // One path for the whole walk, copied for each problem.
  const path: (string | number)[] = [];
  const refuse = (message: string) => {
    if (problems.length < maximumProblems) problems.push({ path: [...path], message });
  };
  const visit = (at: unknown): void => {
    if (problems.length >= maximumProblems) return;
    if (typeof at === 'string') {
      if (at.includes('\0')) refuse(holdsNul);
      if (!at.isWellFormed()) refuse(holdsHalfPair);
    } else if (typeof at === 'number') {
      if (!Number.isFinite(at)) refuse('Is a number too large for a double.');
      else if (Number.isInteger(at) && !Number.isSafeInteger(at)) refuse('Is an integer beyond 2^53 - 1.');
    } else if (at instanceof LongText) at.problems.forEach(refuse);
    else if (typeof at === 'object' && at !== null) {
      if (path.length >= maximumDepth) refuse(`Is nested deeper than ${maximumDepth} levels.`);
      else if (Array.isArray(at)) visitItems(at);
      else visitMembers(at as JsonObject);
    }
  };
  const step = (key: string | number, at: unknown) => {
    path.push(key);
    visit(at);
    path.pop();
  };
  const visitItems = (items: readonly unknown[]) => {
    for (let index = 0; index < items.length && problems.length < maximumProblems; index++)
      step(index, items[index]);
  };
  const visitMembers = (members: JsonObject) => {
    // Object.entries makes a list for each member, which takes half as long again.
    for (const name of Object.keys(members))
      if (name === '__proto__') refuse('Has a member called __proto__.');
      else if (name.includes('\0') || !name.isWellFormed())
        refuse('Has a member whose name holds NUL or half of a surrogate pair.');
      else step(name, members[name]);
  };
  visit(value);
  return problems;
}

/**
 * Replaces everything deeper than 128 levels in parsed JSON with null, so that code that walks it before it is
 * refused does not run out of stack.
 */
export function withoutAbyss(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= 2 * maximumDepth) return null;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = withoutAbyss(value[index], depth + 1);
    return value;
  }
  const members = value as JsonObject;
  for (const name of Object.keys(members))
    if (withoutAbyss(members[name], depth + 1) !== members[name]) members[name] = null;
  return value;
}

/** A copy of a JSON value with null at these places, none of which is its root. It shares what it can. */
export function withNullAt(value: unknown, places: readonly (readonly (string | number)[])[]): unknown {
  if (places.length === 0) return value;
  const copies = new Set<unknown>();
  const copyOf = (at: unknown): JsonObject => {
    if (copies.has(at)) return at as JsonObject;
    const copy = (Array.isArray(at) ? at.slice() : { ...(at as object) }) as JsonObject;
    copies.add(copy);
    return copy;
  };
  const empty = (at: JsonObject, [step = '', ...rest]: readonly (string | number)[]): void => {
    // Null already if another place is around this one.
    if (at[step] === null) return;
    at[step] = rest.length > 0 ? copyOf(at[step]) : null;
    if (rest.length > 0) empty(at[step] as JsonObject, rest);
  };
  const root = copyOf(value);
  for (const place of places) empty(root, place);
  return root;
}

/** True for a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
