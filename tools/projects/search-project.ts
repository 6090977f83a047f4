import * as v from 'valibot';
import { NextCursor, ShortLimit } from '../../src/resources/page.ts';
import { excerpt } from '../../src/resources/search/excerpt.ts';
import { placeOf, SearchCursor, SearchKind, SearchText } from '../../src/resources/search/schema.ts';
import { shortenList } from '../../src/resources/shorten-list.ts';
import type { FoundPlace } from '../../src/store/project-search.ts';
import { defineTool } from '../../src/tool/define.ts';
import { Cuid, ref } from '../../src/tool/reference.ts';

const Place = v.strictObject({
  pointer: v.string(),
  version: v.exactOptional(v.pipe(v.number(), v.integer())),
  active: v.exactOptional(v.boolean()),
  text: v.string(),
});

const Result = v.strictObject({ kind: SearchKind, id: Cuid, name: v.string(), places: v.array(Place) });

/** Characters of JSON. */
const longestResults = 20_000;

export const searchProject = defineTool({
  name: 'search_project',
  title: 'Search a project',
  description:
    'Finds everything that mentions a text or part of a word: names, descriptions, numbers, knowledge titles, lines of the newest and active designs and flows. Shows each place and the words around it.',
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
    limit: ShortLimit,
    cursor: SearchCursor,
  }),
  output: v.strictObject({ results: v.array(Result), nextCursor: NextCursor }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: {
    outputSchema: false,
    shorten: (answer) => ({
      results: shortenList((answer as { readonly results: unknown[] }).results, longestResults),
      truncated: true,
      hint: 'Call search_project with a limit of 10, or with a longer text.',
    }),
  },
  async handler({ stores }, { text, kinds = null, limit, cursor }) {
    const words = text.trim();
    const from = cursor === undefined ? undefined : placeOf(cursor);
    const found = await stores.projectSearch.places({ text: words, kinds, limit: limit + 1, from });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    if (!last || found.length === page.length) return { results: resultsOf(page, words) };
    const shown = page.filter(({ id }) => id === last.id).length;
    const before = from?.id === last.id ? from.skip : 0;
    return { results: resultsOf(page, words), nextCursor: `${last.id}.${before + shown}` };
  },
});

/** The places, under their records. */
function resultsOf(places: readonly FoundPlace[], words: string): v.InferInput<typeof Result>[] {
  const results = new Map<string, v.InferInput<typeof Result>>();
  for (const { id, kind, name, pointer, version, isLive, line } of places) {
    const result = results.get(id) ?? { kind, id, name, places: [] };
    results.set(id, result);
    const versioned = version === null ? {} : { version, active: isLive === true };
    result.places.push({ pointer, ...versioned, text: excerpt(line, words) });
  }
  return [...results.values()];
}
