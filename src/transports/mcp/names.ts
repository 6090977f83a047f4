import type { Caller } from '../../operation/context.ts';
import type { Tool } from '../../operation/define.ts';
import type { RawInput } from '../../operation/input.ts';
import {
  idsAt,
  isOwnForm,
  type NamedReference,
  placeholderId,
  referenceKinds,
  shownId,
  standsForId,
  takesNames,
  withIdsAt,
} from '../../operation/reference.ts';
import type { JsonObject } from '../../operation/result.ts';
import { similarNames } from '../../platform/closest.ts';
import { ToolError } from '../../platform/errors.ts';
import type { NameMatch, Wanted } from '../../resources/names/store.ts';
import type { ServerRuntime } from '../server-runtime.ts';

/** Names in one call: no list of records in an input may be longer. */
const mostNames = 1_000;
/** Records of one name that an error lists. */
const mostListed = 10;
/** Names that an error suggests. */
const mostSuggested = 3;

/** What finds the records of names. */
interface Finder {
  readonly runtime: ServerRuntime;
  readonly caller: Caller;
  /** Every operation by its name. */
  readonly tools: ReadonlyMap<string, Tool>;
}

/** A name in an input. */
interface GivenName {
  readonly kind: NamedReference;
  readonly word: string;
}

/**
 * The input of a call with ids in place of the names of records (docs/mcp.md). A text in the form of an id is an id,
 * whether it has a record or not. A name without one record is refused once the rest of the input is checked.
 */
export async function withIds(tool: Tool, raw: RawInput, finder: Finder): Promise<RawInput> {
  const names = namesIn(tool, raw.value);
  if (names.length === 0 || names.length > mostNames) return raw;
  const { recordNames } = finder.runtime.stores(finder.caller);
  const wanted = wantedIn(
    tool,
    raw.value,
    names.filter(({ kind }) => mayRead(kind, finder)),
  );
  const matches = wanted.words.size > 0 ? await recordNames.find(wanted) : [];
  const found = names.map((name) => ({ name, records: nearest(matches, name) }));
  const ids = new Map(found.map(({ name, records: [first] }) => [keyOf(name), first?.id]));
  const failed = found.find(({ records }) => records.length !== 1);
  let value: unknown = raw.value;
  for (const { path, name: kind } of tool.references)
    if (takesNames(kind))
      value = withIdsAt(value, path, (word) =>
        ids.has(keyOf({ kind, word })) ? (ids.get(keyOf({ kind, word })) ?? placeholderId(kind)) : word,
      );
  const unknownName =
    failed &&
    (failed.records.length > 1 ? ambiguous(failed.name, failed.records) : await unknown(failed.name));
  return { ...raw, value: value as JsonObject, sent: raw.value, unknownName };

  async function unknown({ kind, word }: GivenName): Promise<ToolError> {
    if (!wanted.words.has(kind))
      return refusal(kind, word, 'Names are for keys that may list them. Give the id.');
    const other = otherKind[kind];
    if (
      other &&
      mayRead(other, finder) &&
      (await recordNames.names(other, wanted)).some((name) => isSameName(name, word))
    )
      return refusal(
        kind,
        word,
        `There is a ${referenceKinds[other].noun} of this name: tools take it as ${other}Id.`,
      );
    const known = await recordNames.names(kind, wanted);
    const similar = similarNames({ word, known }, mostSuggested);
    const { listedBy } = referenceKinds[kind];
    const listed = `${listedBy} lists the names.`;
    return refusal(
      kind,
      word,
      similar.length > 0 ? `Did you mean ${similar.map(quoted).join(' or ')}? ${listed}` : listed,
    );
  }
}

/** The names in an input, each once. */
function namesIn(tool: Tool, input: JsonObject): GivenName[] {
  const names = tool.references.flatMap(({ path, name: kind, isBuiltIn }) =>
    takesNames(kind)
      ? idsAt(input, path)
          .filter((word) => standsForId(word) && !isBuiltIn(word))
          .map((word) => ({ kind, word }))
      : [],
  );
  return [...new Map(names.map((name) => [keyOf(name), name])).values()];
}

/** True if the key may list the records of the kind: it must learn no name that it could not read. */
function mayRead(kind: NamedReference, { caller, tools }: Finder): boolean {
  const access = tools.get(referenceKinds[kind].listedBy)?.access;
  return access !== undefined && access !== 'none' && caller.access.has(access);
}

/** What the store looks for: the words of each kind, and the bases whose sources they name. */
function wantedIn(tool: Tool, input: JsonObject, names: readonly GivenName[]): Wanted {
  const words = Map.groupBy(names, ({ kind }) => kind);
  const bases = tool.references.filter(({ name }) => name === 'knowledgeBase');
  return {
    words: new Map([...words].map(([kind, given]) => [kind, given.map(({ word }) => word)])),
    bases: bases
      .flatMap(({ path }) => idsAt(input, path))
      .filter((base) => standsForId(base) || isOwnForm(base)),
  };
}

/** The records that a name means: one in the same letters comes before one whose upper and lower case differ. */
function nearest(matches: readonly NameMatch[], { kind, word }: GivenName): NameMatch[] {
  const named = matches.filter((match) => match.kind === kind && match.word === word);
  const least = Math.min(...named.map(({ distance }) => distance));
  return named.filter(({ distance }) => distance === least);
}

function ambiguous({ kind, word }: GivenName, records: readonly NameMatch[]): ToolError {
  const listed = records.slice(0, mostListed).map(({ id, name, context }) => `${id} (${context ?? name})`);
  const more = records.length > mostListed ? ` and ${records.length - mostListed} more` : '';
  const are = records[0]?.isNumberEnd ? 'end with' : 'are called';
  return new ToolError(
    'not_found',
    `${records.length} records of the kind ${referenceKinds[kind].noun} ${are} ${quoted(word)}.`,
    { hint: `Give the id of one: ${listed.join(', ')}${more}.` },
  );
}

function refusal(kind: NamedReference, word: string, hint: string): ToolError {
  return new ToolError(
    'not_found',
    `There is no ${referenceKinds[kind].noun} ${quoted(word)} in this project.`,
    { hint },
  );
}

/** Agents take one for the other: both answer callers. */
const otherKind: { readonly [Kind in NamedReference]?: NamedReference } = {
  conversation: 'flow',
  flow: 'conversation',
};

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function quoted(name: string): string {
  return JSON.stringify(shownId(name));
}

function keyOf({ kind, word }: GivenName): string {
  return `${kind} ${word}`;
}
