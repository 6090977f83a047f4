/** Returns as many of the first items as fit into `characters` of JSON. */
export function shortenList<Item>(items: readonly Item[], characters: number): Item[] {
  const kept: Item[] = [];
  let length = 0;
  for (const item of items) {
    length += JSON.stringify(item).length;
    if (length > characters) break;
    kept.push(item);
  }
  return kept;
}
