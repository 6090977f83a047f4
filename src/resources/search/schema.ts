import * as v from 'valibot';

export const SearchKind = v.picklist([
  'flow',
  'conversation',
  'agentProfile',
  'knowledgeBase',
  'knowledgeSource',
  'phoneNumber',
  'webAgent',
  'integration',
  'voice',
  'passage',
]);

/** What is searched. */
export const SearchText = v.pipe(
  v.string(),
  v.regex(/\S/, 'Expected a text.'),
  v.maxCodePoints(200),
  v.description('Part of a word, phrase or number. An id finds what uses it.'),
);

/** A record's id, then how many of its places were on pages before. */
export const SearchCursor = v.exactOptional(
  v.pipe(
    v.string(),
    v.regex(/^c[a-z]{2}[0-9a-z]{26}\.[1-9][0-9]{0,8}$/, 'Expected a nextCursor, as it came.'),
    v.description('The last nextCursor.'),
  ),
);

/** The record at which a page begins, and how many of its places were on pages before. */
export function placeOf(cursor: string): { id: string; skip: number } {
  const [id = '', skip] = cursor.split('.');
  return { id, skip: Number(skip) };
}
