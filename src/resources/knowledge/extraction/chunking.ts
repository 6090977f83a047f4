import type { Content, Section } from './blocks.ts';
import type { Chunk } from './extracted.ts';
import { ExtractionFailure } from './extraction-failure.ts';
import { languageOf } from './language.ts';
import { packed, piecesOf } from './split-block.ts';
import { titlePath } from './title-path.ts';

/** Characters of a chunk, about four to a token: at most 1600, and chunks below 800 are joined with the next. */
const most = 1600;
const enough = 800;
/** Characters. Chunks shorter than this are joined across chapters. */
const tiny = 240;
const mostChunks = 2000;

/** A chunk that may still be joined with the next one. */
interface Passage {
  /** The headings above all of its text. */
  readonly path: readonly string[];
  /** The headings above its end. */
  readonly last: readonly string[];
  /** The headings of levels 1 and 2. Passages of different chapters are joined only if both are tiny. */
  readonly chapter: string;
  readonly text: string;
}

/**
 * Splits a document into chunks that can be read on their own, each with the path of its headings.
 * @throws ExtractionFailure if there are more than 2,000
 */
export function chunksOf(content: Content): Chunk[] {
  const pathOf = titlePath(content);
  const language = languageOf(content.sections, content.lang);
  const passages: Passage[] = [];
  for (const section of content.sections)
    for (const passage of passagesOf(section, pathOf(section.path))) {
      const last = passages.at(-1);
      const both = last && joined(last, passage);
      if (both) passages[passages.length - 1] = both;
      else if (passages.push(passage) > mostChunks)
        throw new ExtractionFailure(
          `The document has more than ${mostChunks.toLocaleString('en')} passages. Split it into smaller ones.`,
        );
    }
  return passages.map(({ path, text }) => ({ heading: path.join(' > '), text, language }));
}

function passagesOf({ path: headings, blocks }: Section, path: readonly string[]): Passage[] {
  const pieces = packed(
    blocks.flatMap((block) => piecesOf(block, most)),
    '\n\n',
    most,
  );
  const chapter = headings.flatMap(({ level, text }) => (level <= 2 ? text : [])).join('\n');
  return pieces.map((text) => ({ path, last: path, chapter, text: text.trim() })).filter(({ text }) => text);
}

/** Joins two passages, and writes headings of only one of them above its text; undefined if they stay apart. */
function joined(first: Passage, second: Passage): Passage | undefined {
  const isSmall = first.text.length < enough && second.text.length < most;
  const areTiny = first.text.length < tiny && second.text.length < tiny;
  if (first.chapter === second.chapter ? !isSmall : !areTiny) return undefined;
  const path = second.path.slice(0, sharedLength(first.path, second.path));
  const above = first.path.slice(path.length);
  const below = second.path.slice(sharedLength(first.last, second.path));
  const text = `${[...above, first.text].join('\n')}\n\n${[...below, second.text].join('\n')}`;
  return text.length <= most ? { path, last: second.path, chapter: first.chapter, text } : undefined;
}

function sharedLength(one: readonly string[], other: readonly string[]): number {
  const at = other.findIndex((text, index) => text !== one[index]);
  return at === -1 ? other.length : at;
}
