/** Every string of a document, with its place. */
export function textsOf(value: unknown, at = ''): [place: string, text: string][] {
  if (typeof value === 'string') return [[at, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textsOf(member, `${at}/${name}`));
}
