/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** True if a value is JSON at every level. Iterative, because input from others may be deeply nested. */
export function isJson(value: unknown): value is Json {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'object' && next !== null)
      for (const member of Object.values(next)) left.push(member);
    else if (next !== null && !scalarTypes.has(typeof next)) return false;
  }
  return true;
}

const scalarTypes: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);
