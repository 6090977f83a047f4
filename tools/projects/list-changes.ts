import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { Cuid, isKind, isOwnForm, ref, shownId } from '../../src/operation/reference.ts';
import { ToolError } from '../../src/platform/errors.ts';
import type { ChangeFilter } from '../../src/resources/changes/store.ts';
import {
  AnsweredPeriod,
  answeredInWords,
  answeredPeriods,
} from '../../src/resources/phone-numbers/answered.ts';
import { idCursor, limitOr, NextCursor } from '../../src/resources/record/page.ts';
import { Moment, momentOf, Timestamp, toSeconds } from '../../src/resources/record/timestamp.ts';
import type { Stores } from '../../src/store/stores.ts';

const Change = v.strictObject({
  id: Cuid,
  at: Timestamp,
  keyId: Cuid,
  keyName: v.string(),
  operation: v.string(),
  resourceId: v.nullable(v.string()),
  resourceName: v.nullable(v.string()),
  summary: v.nullable(v.string()),
});

type ChangeRecord = v.InferOutput<typeof Change>;
type AnsweredRecord = v.InferOutput<typeof AnsweredPeriod>;

export const listChanges = defineTool({
  name: 'list_changes',
  title: 'List changes',
  description:
    'Lists who changed what and when, newest first. With a phone number as resource: which versions answered it when. Without admin access: your own changes.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/changes' },
  input: v.strictObject({
    projectId: ref('project'),
    from: v.exactOptional(v.pipe(Moment, v.description('Start, like 2026-01-31T00:00:00Z.'))),
    to: v.exactOptional(v.pipe(Moment, v.description('End, left out.'))),
    keyId: v.exactOptional(ref('key')),
    operation: v.exactOptional(
      v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/), v.description('Name of a tool.')),
    ),
    resource: v.exactOptional(
      v.pipe(v.string(), v.maxCodePoints(200), v.description('Name, number or id of what changed.')),
    ),
    limit: limitOr(20),
    cursor: idCursor('audit'),
  }),
  output: v.strictObject({
    answered: v.exactOptional(v.array(AnsweredPeriod)),
    changes: v.array(Change),
    nextCursor: NextCursor,
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  check: (ends) =>
    (['from', 'to'] as const)
      .filter((name) => ends[name] !== undefined && dateOf(ends[name]) === undefined)
      .map((name) => ({ path: [name], message: 'Expected a time of the years 1970 to 9999.' })),
  mcp: {
    outputSchema: false,
    pages: { items: 'changes', cursor: 'id' },
    brief: ({ answered, changes, ...more }) => ({
      ...(answered !== undefined && { answered: (answered as AnsweredRecord[]).map(answeredInWords) }),
      changes: inWords(changes as ChangeRecord[]),
      ...more,
    }),
  },
  async handler({ stores, caller }, { projectId: _, keyId, from, to, limit, cursor, operation, resource }) {
    const isOwn = !caller.access.has('admin');
    if (keyId !== undefined) found(await stores.keys.find(keyId), 'key', keyId);
    if (isOwn && keyId !== undefined && keyId !== caller.keyId) return { changes: [] };
    const period = { from: dateOf(from), to: dateOf(to) };
    const resources = resource === undefined ? undefined : await recordsCalled(stores, resource, !isOwn);
    const filter: ChangeFilter = { operation, resources, ...period, keyId: isOwn ? caller.keyId : keyId };
    // Not on further pages, nor for a key that sees only its own changes.
    const asksForAll = cursor === undefined && filter.keyId === undefined && operation === undefined;
    const number = asksForAll ? onlyNumber(resources) : undefined;
    const [{ items, ...more }, answered] = await Promise.all([
      stores.changes.list(filter, { limit, cursor }),
      number === undefined ? [] : answeredPeriods(stores, number, period),
    ]);
    return { ...(answered.length > 0 && { answered }), changes: items, ...more };
  },
});

/** The phone number whose changes are asked for, if they are those of one. */
function onlyNumber(resources: readonly string[] | undefined): string | undefined {
  const [only, ...others] = resources ?? [];
  return only !== undefined && others.length === 0 && isKind(only, 'phoneNumber') ? only : undefined;
}

/** The ids of the records that a text names; of an id, that id. Only a key with admin access may know names of keys. */
async function recordsCalled(stores: Stores, text: string, withKeys: boolean): Promise<string[]> {
  if (isOwnForm(text)) return [text];
  const records = await stores.changes.recordsCalled(text, withKeys);
  const called = records.filter(({ partOf }) => partOf === null);
  if (called.length > 0) return called.map(({ id }) => id);
  if (records.length === 1) return records.map(({ id }) => id);
  if (records.length > 1)
    throw new ToolError('not_found', `${records.length} phone numbers end with ${JSON.stringify(text)}.`, {
      hint: `Give one: ${records.map(({ partOf }) => partOf).join(', ')}.`,
    });
  throw new ToolError('not_found', `No record is called ${JSON.stringify(shownId(text))}.`, {
    hint: 'search_project finds records by a part of their name or number.',
  });
}

/** Changes of a short list, at most. It is often filtered, and a change that it leaves out may have the same second. */
const shortList = 5;

/**
 * Each change in one line, with milliseconds in a short list and if another has the same second: a call of undo_changes can then
 * begin between them.
 */
function inWords(changes: readonly ChangeRecord[]) {
  const seconds = changes.map(({ at }) => toSeconds(at));
  const isShared = (second: string) =>
    changes.length <= shortList || seconds.indexOf(second) !== seconds.lastIndexOf(second);
  return changes.map((change) => {
    const second = toSeconds(change.at);
    return { at: isShared(second) ? change.at : second, by: change.keyName, what: whatOf(change) };
  });
}

/** The tool, the record by its name, and what was given. */
function whatOf({ operation, resourceId, resourceName, summary }: ChangeRecord): string {
  const named = resourceName ?? resourceId;
  const name = named === null ? '' : ` ${JSON.stringify(named)}`;
  if (summary === null) return operation + name;
  // A summary begins with the name that the record got, if the change gave it one.
  if (!summary.startsWith('"')) return `${operation}${name}: ${summary}`;
  const renamed = named === null || summary.startsWith(JSON.stringify(named)) ? '' : ` (now${name})`;
  return `${operation} ${summary}${renamed}`;
}

function dateOf(moment: string | undefined): Date | undefined {
  const at = moment === undefined ? undefined : momentOf(moment);
  return at === undefined ? undefined : new Date(at);
}
