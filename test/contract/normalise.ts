import { kindOfId } from '../../src/platform/id.ts';

export const idForm = /\bc[a-z]{2}[0-9a-v]{26}\b/g;
export const timestampForm = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** With milliseconds or, where MCP is brief, without. */
const anyTimestamp = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g;

/**
 * Returns a value without the differences between two equal projects. An id becomes its kind and the number of its
 * first appearance, a timestamp becomes `T`, and a member that `varies` names becomes a dash.
 */
export function normalised(value: unknown, varies: readonly string[] = []): unknown {
  const names = new Map<string, string>();
  const nameOf = (found: string): string => {
    const kind = kindOfId(found);
    if (!kind) return found;
    const name = names.get(found) ?? `${kind} ${names.size + 1}`;
    names.set(found, name);
    return name;
  };
  const text = JSON.stringify(value, (member, inner: unknown) => {
    if (varies.includes(member)) return '-';
    return typeof inner === 'string' ? inner.replaceAll(idForm, nameOf).replaceAll(anyTimestamp, 'T') : inner;
  });
  return JSON.parse(text);
}
