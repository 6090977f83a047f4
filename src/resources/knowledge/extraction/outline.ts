import type { Block, Heading, Section } from './blocks.ts';
import { ExtractionFailure } from './extraction-failure.ts';

/** Characters. A longer heading is treated as a paragraph. */
const longestHeading = 200;
/** Characters of text in a document. */
export const mostText = 2_000_000;

/** Collects headings and blocks, which come in reading order, into sections. */
export class Outline {
  readonly sections: Section[] = [];
  #path: readonly Heading[] = [];
  /** The last heading if nothing has followed it yet, and the path above it. */
  #bare: { readonly heading: Heading; readonly above: readonly Heading[] } | undefined;
  #characters = 0;

  /** The current headings, for `restore`. */
  get path(): readonly Heading[] {
    return this.#path;
  }

  heading(level: number, text: string): void {
    if (!text) return;
    if (text.length > longestHeading) {
      this.add({ kind: 'text', text });
      return;
    }
    const above = this.#path.filter((heading) => heading.level < level);
    if (this.#bare && this.#bare.heading.level >= level) this.#keepBare();
    const heading = { level, text };
    this.#path = [...above, heading];
    this.#bare = { heading, above };
  }

  /** Drops a heading right before skipped content, which it belongs to. */
  skip(): void {
    this.#bare = undefined;
  }

  restore(path: readonly Heading[]): void {
    this.#keepBare();
    this.#path = path;
  }

  /** @throws ExtractionFailure if the document is too long */
  add(block: Block): void {
    this.#bare = undefined;
    this.#append(this.#path, block);
  }

  /** All sections; a heading with nothing below it becomes text. */
  finished(): Section[] {
    this.#keepBare();
    return this.sections;
  }

  #keepBare(): void {
    if (this.#bare) this.#append(this.#bare.above, { kind: 'text', text: this.#bare.heading.text });
    this.#bare = undefined;
  }

  #append(path: readonly Heading[], block: Block): void {
    this.#characters += sizeOf(block);
    if (this.#characters > mostText) throw tooLong();
    const last = this.sections.at(-1);
    if (last?.path === path) last.blocks.push(block);
    else this.sections.push({ path, blocks: [block] });
  }
}

/** In characters. */
export function sizeOf(block: Block): number {
  if (block.kind === 'text') return block.text.length;
  if (block.kind === 'list') return sum(block.items);
  return block.rows.reduce((size, row) => size + sum(row), sum(block.header));
}

function sum(texts: readonly string[]): number {
  return texts.reduce((size, { length }) => size + length, 0);
}

export function tooLong(): ExtractionFailure {
  const most = mostText.toLocaleString('en');
  return new ExtractionFailure(
    `The document has more than ${most} characters of text. Split it into smaller ones.`,
  );
}
