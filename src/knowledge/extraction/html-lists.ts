import type { Block } from './blocks.ts';

/** Gathers the items of a list, those of lists inside of it indented. */
export class ListReader {
  readonly #items: { readonly mark: string; said: string; isTerm: boolean }[] = [];
  /** By depth: the next number, where the list has such. */
  readonly #open: { next: number | undefined }[] = [];

  open(isNumbered: boolean): void {
    this.#open.push({ next: isNumbered ? 1 : undefined });
  }

  /** Ends the innermost list; answers whether it was the outermost. */
  close(): boolean {
    this.#open.pop();
    return this.#open.length === 0;
  }

  item(isTerm = false): void {
    const list = this.#open.at(-1);
    const mark = list?.next === undefined ? '-' : `${list.next++}.`;
    const indent = '  '.repeat(Math.min(4, Math.max(0, this.#open.length - 1)));
    this.#items.push({ mark: `${indent}${mark} `, said: '', isTerm });
  }

  say(text: string): void {
    if (this.#items.length === 0) this.item();
    const item = this.#items.at(-1);
    if (!item) return;
    const between = item.isTerm ? (/[.:?!]$/.test(item.said) ? ' ' : ': ') : '\n';
    item.said += item.said ? `${between}${text}` : text;
    if (item.said !== text) item.isTerm = false;
  }

  /** The list, without items that say nothing; undefined where none says anything. */
  block(): Block | undefined {
    const items = this.#items.flatMap(({ mark, said }) => (said ? `${mark}${said}` : []));
    return items.length > 0 ? { kind: 'list', items } : undefined;
  }
}
