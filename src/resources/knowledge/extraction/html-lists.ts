import type { Block } from './blocks.ts';

/** Collects the items of a list; items of nested lists are indented. */
export class ListReader {
  readonly #items: { readonly mark: string; text: string; isTerm: boolean }[] = [];
  /** By depth; `next` is the next number of a numbered list. */
  readonly #open: { next: number | undefined }[] = [];

  open(isNumbered: boolean): void {
    this.#open.push({ next: isNumbered ? 1 : undefined });
  }

  /** Ends the innermost list, and returns whether it was the outermost. */
  close(): boolean {
    this.#open.pop();
    return this.#open.length === 0;
  }

  item(isTerm = false): void {
    const list = this.#open.at(-1);
    const mark = list?.next === undefined ? '-' : `${list.next++}.`;
    const indent = '  '.repeat(Math.min(4, Math.max(0, this.#open.length - 1)));
    this.#items.push({ mark: `${indent}${mark} `, text: '', isTerm });
  }

  /** Adds text to the current item. */
  add(text: string): void {
    if (this.#items.length === 0) this.item();
    const item = this.#items.at(-1);
    if (!item) return;
    const between = item.isTerm ? (/[.:?!]$/.test(item.text) ? ' ' : ': ') : '\n';
    item.text += item.text ? `${between}${text}` : text;
    if (item.text !== text) item.isTerm = false;
  }

  /** The list without empty items; undefined if all are empty. */
  block(): Block | undefined {
    const items = this.#items.flatMap(({ mark, text }) => (text ? `${mark}${text}` : []));
    return items.length > 0 ? { kind: 'list', items } : undefined;
  }
}
