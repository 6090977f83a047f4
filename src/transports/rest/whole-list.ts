import { isJsonObject } from '../../operation/json.ts';

/**
 * Yields the JSON text of a list whose pages are read while it is sent: one object with all items, without `nextCursor`.
 * @param first the first page; its one member that is an array holds the items
 */
export async function* wholeListText(
  first: unknown,
  rest: AsyncIterable<unknown>,
): AsyncGenerator<string, void, undefined> {
  const [name, items] = itemsOf(first);
  yield `{${JSON.stringify(name)}:[${textOf(items)}`;
  for await (const page of rest) {
    const [, more] = itemsOf(page);
    if (more.length > 0) yield `,${textOf(more)}`;
  }
  yield ']}';
}

function itemsOf(page: unknown): [name: string, items: readonly unknown[]] {
  for (const [name, member] of Object.entries(isJsonObject(page) ? page : {}))
    if (Array.isArray(member)) return [name, member];
  throw new Error('a page of a list has no items');
}

function textOf(items: readonly unknown[]): string {
  return JSON.stringify(items).slice(1, -1);
}
