import { openPool } from '../../src/postgres/pool.ts';
import { storesIn } from '../../src/resources/project-stores.ts';
import {
  isPage,
  readSite,
  type SiteDocument,
  storeSite,
  urlOf,
} from '../../test/resources/knowledge/site-documents.ts';
import type { World } from '../world.ts';
import { holdersOf, type Question, readQuestions } from './questions.ts';

/** How well a search finds the passages that answer the questions of one language, or of all. */
export interface Quality {
  readonly what: string;
  readonly language: string;
  readonly questions: number;
  /** The share of questions whose passage is in the first five results. */
  readonly recall: number;
  /** Mean reciprocal rank of the passage: 1 divided by its place in the first ten results, or 0. */
  readonly reciprocalRank: number;
}

/** Returns the texts for a question with their documents, best first. */
type Search = (question: Question) => Promise<readonly { document: string; text: string }[]>;

const [considered, most] = [5, 10];

/** Measures Parley's search and Postgres's own search with the hundred questions, over the same documents. */
export async function measureQuality(world: World): Promise<Quality[]> {
  const db = openPool({ connectionString: world.databaseUrl, mode: 'write', max: 2, warn: console.error });
  try {
    const documents = await readSite();
    const stores = storesIn(db, world.projectId);
    const { id } = await stores.knowledgeBases.create('Ferries');
    await storeSite(db, world.projectId, id, documents);
    const byUrl = new Map(documents.map(({ name }) => [urlOf(name), name]));
    const parley: Search = async ({ question }) => {
      const passages = (await stores.knowledgeSearch.passages(id, question, most)) ?? [];
      return passages.map(({ url = '', sourceName, text }) => ({
        document: byUrl.get(url) ?? sourceName,
        text,
      }));
    };
    await db.raw('create table raw_pages (document text, text text)');
    const raw = documents.map((document) => ({ document: document.name, text: rawText(document) }));
    await db('raw_pages').insert(raw);
    const plain: Search = async ({ language, question }) => {
      const { rows } = await db.raw<{ rows: { document: string; text: string }[] }>(plainQuery, {
        configuration: configurations[language] ?? 'simple',
        question,
      });
      return rows;
    };
    const chunks = documents.flatMap(({ name, chunks }) =>
      chunks.map(({ text }) => ({ document: name, text })),
    );
    return [
      ...(await measure("Parley's search, full text alone", parley, chunks)),
      ...(await measure('`plainto_tsquery` on the raw pages', plain, raw)),
    ];
  } finally {
    await db.destroy();
  }
}

const configurations: Readonly<Record<string, string>> = { en: 'english', de: 'german', fr: 'french' };

/** Searches as Postgres's manual shows, in the language of the question. */
const plainQuery = `
  select document, text
  from raw_pages, plainto_tsquery(cast(:configuration as regconfig), :question) as query
  where to_tsvector(cast(:configuration as regconfig), text) @@ query
  order by ts_rank(to_tsvector(cast(:configuration as regconfig), text), query) desc, document
  limit ${most}`;

/** Returns the text of a page without its tags, or the extracted text of another document. */
function rawText({ name, bytes, chunks }: SiteDocument): string {
  return isPage(name)
    ? bytes.toString('utf8').replaceAll(/<[^>]*>/g, ' ')
    : chunks.map(({ text }) => text).join('\n');
}

async function measure(
  what: string,
  search: Search,
  texts: readonly { document: string; text: string }[],
): Promise<Quality[]> {
  const places: { language: string; place: number }[] = [];
  for (const question of readQuestions()) {
    const { document, passage, language } = question;
    const own = texts.filter((one) => one.document === document).map(({ text }) => text);
    const holders = new Set(holdersOf(passage, own));
    const results = await search(question);
    const at = results.findIndex((one) => one.document === document && holders.has(one.text));
    places.push({ language, place: at < 0 ? Number.POSITIVE_INFINITY : at + 1 });
  }
  const languages = [...new Set(places.map(({ language }) => language))];
  return [
    summary(what, 'all', places),
    ...languages.map((one) =>
      summary(
        what,
        one,
        places.filter(({ language }) => language === one),
      ),
    ),
  ];
}

function summary(what: string, language: string, places: readonly { place: number }[]): Quality {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    what,
    language,
    questions: places.length,
    recall: mean(places.map(({ place }) => (place <= considered ? 1 : 0))),
    reciprocalRank: mean(places.map(({ place }) => 1 / place)),
  };
}
