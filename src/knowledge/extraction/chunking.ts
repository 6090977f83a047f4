import type { Content, Section } from './blocks.ts';
import type { Chunk } from './extracted.ts';
import { ExtractionFailure } from './extraction-failure.ts';
import { languageOf } from './language.ts';
import { packed, piecesOf } from './split-block.ts';
import { titlePath } from './title-path.ts';

/** Characters, four of which are about a token: a chunk is to have 200 to 400 of them. */
const most = 1600;
const enough = 800;
/** Less than this is no passage by itself, whatever heading it has. */
const tiny = 240;
const mostChunks = 2000;

/** A passage under way. */
interface Passage {
  /** The headings that all of it stands below. */
  readonly path: readonly string[];
  /** Those that its end stands below. */
  readonly last: readonly string[];
  /** What it may not be joined with passages of another of, unless both are tiny: the heading of level 2, or above. */
  readonly chapter: string;
  readonly text: string;
}

/**
 * Cuts a document into passages that can be read by themselves, each with the path of its headings.
 * Throws ExtractionFailure for too many.
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
          `It gives more than ${mostChunks.toLocaleString('en')} passages; split it into several.`,
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

/** Both as one, the headings that only one has above its text; undefined where they are to stay apart. */
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
