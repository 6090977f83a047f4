/** The first items of a list, as many as come to so many characters of JSON. */
export function fitting<Item>(items: readonly Item[], characters: number): Item[] {
  const fit: Item[] = [];
  let length = 0;
  for (const item of items) {
    length += JSON.stringify(item).length;
    if (length > characters) break;
    fit.push(item);
  }
  return fit;
}
