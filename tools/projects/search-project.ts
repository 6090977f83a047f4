import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { Cuid, isOwnForm, ref } from '../../src/operation/reference.ts';
import { VersionNumber } from '../../src/resources/conversations/schema.ts';
import { untrusted } from '../../src/resources/knowledge/untrusted.ts';
import { limitOr, NextCursor } from '../../src/resources/record/page.ts';
import { shortenList } from '../../src/resources/record/shorten-list.ts';
import { excerpt, excerptOfAny } from '../../src/resources/search/excerpt.ts';
import type { FoundPlace } from '../../src/resources/search/project-search.ts';
import { usesById } from '../../src/resources/search/reached.ts';
import { placeOf, SearchCursor, SearchKind, SearchText } from '../../src/resources/search/schema.ts';
import type { Mention } from '../../src/services/search/knowledge-search.ts';
import type { Stores } from '../../src/store/stores.ts';

const Place = v.strictObject({
  pointer: v.string(),
  versions: v.exactOptional(
    v.pipe(
      v.strictObject({ active: v.exactOptional(VersionNumber), newest: v.exactOptional(VersionNumber) }),
      v.description('The numbers of the active and of the newest version, of each only if it has this text.'),
    ),
  ),
  text: v.string(),
});

const Result = v.strictObject({
  kind: SearchKind,
  id: Cuid,
  name: v.string(),
  knowledgeBase: v.exactOptional(v.string()),
  places: v.array(Place),
  reachedBy: v.exactOptional(v.array(v.string())),
  usedBy: v.exactOptional(v.array(v.string())),
});
type Result = v.InferInput<typeof Result>;

const Answer = v.strictObject({
  results: v.array(Result),
  untrusted: v.exactOptional(v.string()),
  nextCursor: NextCursor,
});
type Answer = v.InferOutput<typeof Answer>;

/** Characters of JSON. */
const longestResults = 20_000;

/** Characters of the shortest text that is searched in passages: a shorter one begins too many words. */
const shortestWord = 3;

/** What callers meet, through numbers and web agents. */
const metKinds: ReadonlySet<string> = new Set(['flow', 'conversation', 'passage']);

export const searchProject = defineTool({
  name: 'search_project',
  title: 'Search a project',
  description:
    'Finds a text in names, numbers, knowledge, and lines of the newest and active designs and flows. Shows the words, and which numbers and web agents reach them.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/search' },
  input: v.strictObject({
    projectId: ref('project'),
    text: SearchText,
    kinds: v.exactOptional(
      v.pipe(
        v.array(SearchKind),
        v.minLength(1),
        v.maxLength(20),
        v.description('Only records of these kinds.'),
      ),
    ),
    limit: limitOr(50),
    cursor: SearchCursor,
  }),
  output: Answer,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: {
    outputSchema: false,
    shorten(answer) {
      const { results, untrusted: mark } = answer as Answer;
      return {
        results: shortenList(results, longestResults),
        ...(mark && { untrusted: mark }),
        truncated: true,
        hint: 'Call search_project with a limit of 10, or with a longer text.',
      };
    },
  },
  async handler({ stores }, { text, kinds = null, limit, cursor }) {
    const words = text.trim();
    if (isOwnForm(words)) return { results: await usersOf(stores, words) };
    const from = cursor === undefined ? undefined : placeOf(cursor);
    const recordKinds = kinds?.filter((kind) => kind !== 'passage') ?? null;
    // All passages are on the first page.
    const hasPassages =
      from === undefined && kinds?.includes('passage') !== false && words.length >= shortestWord;
    const [found, mentions] = await Promise.all([
      recordKinds?.length === 0
        ? []
        : stores.projectSearch.places({ text: words, kinds: recordKinds, limit: limit + 1, from }),
      hasPassages ? stores.knowledgeSearch.mentions(words) : [],
    ]);
    const page = found.slice(0, limit);
    const results = [...resultsOf(page, words), ...passagesOf(mentions, words)];
    const marked = {
      results: await withUses(stores, results, mentions),
      ...(mentions.length > 0 && { untrusted }),
    };
    const last = page.at(-1);
    if (!last || found.length === page.length) return marked;
    const shown = page.filter(({ id }) => id === last.id).length;
    const before = from?.id === last.id ? from.skip : 0;
    return { ...marked, nextCursor: `${last.id}.${before + shown}` };
  },
});

/** The places, under their records. */
function resultsOf(places: readonly FoundPlace[], words: string): Result[] {
  const results = new Map<string, Result>();
  for (const { id, kind, name, pointer, active, newest, line } of places) {
    const result = results.get(id) ?? { kind, id, name, places: [] };
    results.set(id, result);
    const versions = { ...(active !== null && { active }), ...(newest !== null && { newest }) };
    const isVersioned = active !== null || newest !== null;
    result.places.push({ pointer, ...(isVersioned && { versions }), text: excerpt(line, words) });
  }
  return [...results.values()];
}

/** The passages, under their sources. */
function passagesOf(mentions: readonly Mention[], words: string): Result[] {
  return [...Map.groupBy(mentions, ({ sourceId }) => sourceId)].flatMap(([id, ofSource]): Result[] => {
    const [first] = ofSource;
    if (!first) return [];
    const { sourceName: name, knowledgeBase } = first;
    const places = ofSource.map(({ url, heading, text }) => ({
      pointer: url || heading,
      text: excerptOfAny(text, words),
    }));
    return [{ kind: 'passage', id, name, knowledgeBase, places }];
  });
}

/** The results with what uses them: where callers meet live lines and knowledge, and what refers to anything else. */
async function withUses(
  stores: Stores,
  results: readonly Result[],
  mentions: readonly Mention[],
): Promise<Result[]> {
  const baseOf = new Map(mentions.map(({ sourceId, knowledgeBaseId }) => [sourceId, knowledgeBaseId]));
  const usedIdOf = ({ kind, id }: Result) => (kind === 'passage' ? (baseOf.get(id) ?? id) : id);
  const uses = usesById(await stores.uses.of([...new Set(results.map(usedIdOf))]));
  return results.map((result) => {
    const { reachedBy, usedBy } = uses(usedIdOf(result));
    const isLive = result.places.some(({ versions }) => !versions || versions.active !== undefined);
    if (metKinds.has(result.kind)) return isLive ? { ...result, reachedBy: [...reachedBy] } : result;
    return usedBy.length === 0 ? result : { ...result, usedBy: [...usedBy] };
  });
}

/** The record with an id, and what uses it; empty if the project has no such record. */
async function usersOf(stores: Stores, id: string): Promise<Result[]> {
  const [record, uses, mentioning] = await Promise.all([
    stores.uses.record(id),
    stores.uses.of([id]),
    stores.uses.mentions(id),
  ]);
  if (!record) return [];
  const { reachedBy, usedBy } = usesById(uses)(id);
  const users = new Set([...usedBy, ...mentioning.map((name) => `conversation ${name}`)]);
  return [
    {
      ...record,
      id,
      places: [],
      ...(reachedBy.length > 0 && { reachedBy: [...reachedBy] }),
      usedBy: [...users],
    },
  ];
}
