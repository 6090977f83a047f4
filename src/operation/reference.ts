import * as v from 'valibot';
import { callText } from '../platform/errors.ts';
import { type IdKind, kindLetters, kindOfId } from '../platform/id.ts';

/** The noun for a kind of record, and the tool that lists its ids. */
export interface ReferenceKind {
  readonly noun: string;
  readonly listedBy: string;
  /** The input that tells that tool whose records to list. */
  readonly listedOf?: string;
  /** What may stand for the id, in words; undefined if only the id does. */
  readonly namedBy?: string;
}

const byName = 'Name or id.';

/** Every kind of record to which an input can refer. */
export const referenceKinds = {
  project: { noun: 'project', listedBy: 'list_projects' },
  key: { noun: 'key', listedBy: 'list_keys', namedBy: byName },
  flow: { noun: 'flow', listedBy: 'list_flows', namedBy: byName },
  flowVersion: { noun: 'flow version', listedBy: 'list_flow_versions', listedOf: 'flowId' },
  conversation: { noun: 'conversation', listedBy: 'list_conversations', namedBy: byName },
  agentProfile: { noun: 'agent profile', listedBy: 'list_agent_profiles', namedBy: byName },
  integration: { noun: 'integration', listedBy: 'list_integrations', namedBy: byName },
  phoneNumber: {
    noun: 'phone number',
    listedBy: 'list_phone_numbers',
    namedBy: 'Name, number, last digits or id.',
  },
  webAgent: { noun: 'web agent', listedBy: 'list_web_agents', namedBy: byName },
  voice: { noun: 'voice', listedBy: 'list_voices', namedBy: byName },
  knowledgeBase: { noun: 'knowledge base', listedBy: 'list_knowledge_bases', namedBy: byName },
  knowledgeSource: {
    noun: 'knowledge source',
    listedBy: 'list_knowledge_sources',
    listedOf: 'knowledgeBaseId',
    namedBy: byName,
  },
  scenario: {
    noun: 'scenario',
    listedBy: 'list_scenarios',
    listedOf: 'conversationId',
    namedBy: byName,
  },
  trash: { noun: 'trash entry', listedBy: 'list_trash', namedBy: byName },
  session: { noun: 'session', listedBy: 'list_sessions' },
  upload: { noun: 'upload', listedBy: 'create_upload' },
} as const satisfies Partial<Record<IdKind, ReferenceKind>>;

export type ReferenceName = keyof typeof referenceKinds;

/** The kinds whose records a name may stand for. */
export type NamedReference = {
  [Name in ReferenceName]: (typeof referenceKinds)[Name] extends { readonly namedBy: string } ? Name : never;
}[ReferenceName];

/** True if a name may stand for an id of this kind. */
export function takesNames(name: ReferenceName): name is NamedReference {
  return 'namedBy' in referenceKinds[name];
}

/** Characters of the longest id of a record. A longer one is well formed, but no record has it. */
const longestId = 64;

/** An id (`decisions#ids`). */
export const Cuid = v.pipe(
  v.string(),
  v.regex(/^[cC][0-9a-z]{6,}$/, 'Expected an id: c, then at least six of 0-9 and a-z.'),
);

/**
 * An input that refers to a record of the caller's project. Its mark lets `invoke` refuse an id of another kind
 * without a query, and lets a generated test try foreign and missing ids on every reference.
 */
export function ref(name: ReferenceName) {
  return v.pipe(Cuid, v.metadata({ ref: name }), ofKind(name));
}

type Description = v.DescriptionAction<string, string>;

/** Describes a reference by its kind. An adapter that also takes names puts its own words in place of this action. */
export function ofKind(name: ReferenceName): Description {
  return kindDescriptions[name];
}

const referenceNames = Object.keys(referenceKinds) as ReferenceName[];

const kindDescriptions = Object.fromEntries(
  referenceNames.map((name) => [name, v.description(`Id from ${referenceKinds[name].listedBy}.`)]),
) as Record<ReferenceName, Description>;

/** The kind whose description an action is; undefined if it is another action. */
export function kindDescribedBy(action: object): ReferenceName | undefined {
  return referenceNames.find((name) => kindDescriptions[name] === action);
}

/** True for an id that needs no record, such as that of a built-in voice. */
type IsBuiltIn = (id: string) => boolean;

const nothingBuiltIn: IsBuiltIn = () => false;

/** A reference for which the contract says only `string`: a text that is not an id returns 404, like any unknown id. */
export function looseRef(name: ReferenceName, isBuiltIn = nothingBuiltIn) {
  return v.pipe(v.string(), v.metadata({ ref: name, isBuiltIn }));
}

/** The place of a reference in an input schema: member names from the top, `*` for each item of an array. */
export interface Reference {
  readonly path: readonly string[];
  readonly name: ReferenceName;
  readonly isBuiltIn: IsBuiltIn;
}

interface Mark {
  readonly ref?: ReferenceName;
  readonly isBuiltIn?: IsBuiltIn;
}

/** Every reference in a schema, at any depth. */
export function referencesIn(schema: v.GenericSchema, path: readonly string[] = []): Reference[] {
  const { ref: name, isBuiltIn = nothingBuiltIn } = v.getMetadata(schema as never) as Mark;
  if (name) return [{ path, name, isBuiltIn }];
  if ('entries' in schema)
    return Object.entries(schema.entries as Record<string, v.GenericSchema>).flatMap(([key, entry]) =>
      referencesIn(entry, [...path, key]),
    );
  if ('item' in schema) return referencesIn(schema.item as v.GenericSchema, [...path, '*']);
  if ('wrapped' in schema) return referencesIn(schema.wrapped as v.GenericSchema, path);
  if ('options' in schema && Array.isArray(schema.options))
    return schema.options
      .filter((option): option is v.GenericSchema => typeof option === 'object')
      .flatMap((option) => referencesIn(option, path));
  return [];
}

/** The input with other texts at a reference's path. */
export function withIdsAt(
  input: unknown,
  [step, ...rest]: readonly string[],
  idFor: (text: string) => string,
): unknown {
  if (step === undefined) return typeof input === 'string' ? idFor(input) : input;
  if (step === '*') return Array.isArray(input) ? input.map((item) => withIdsAt(item, rest, idFor)) : input;
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, step)) return input;
  const members = Object.entries(input as Record<string, unknown>);
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === step ? withIdsAt(member, rest, idFor) : member]),
  );
}

/** The ids that an input holds at a reference's path. */
export function idsAt(input: unknown, [step, ...rest]: readonly string[]): string[] {
  if (input === null || input === undefined) return [];
  if (step === undefined) return typeof input === 'string' ? [input] : [];
  if (step === '*') return Array.isArray(input) ? input.flatMap((item) => idsAt(item, rest)) : [];
  return idsAt((input as Record<string, unknown>)[step], rest);
}

/** True if a record of this kind may have the id: its letters are those of the kind, and it is not too long. */
export function isKind(id: string, name: ReferenceName): boolean {
  return id.length <= longestId && kindOfId(id) === name;
}

/** An id as messages show it. A caller may send one of many kilobytes. */
export function shownId(id: string): string {
  return id.length <= longestId ? id : `${id.slice(0, longestId).toWellFormed()}…`;
}

/** True if a text has the full form of an id that Parley makes (`decisions#ids`), of any kind. */
export function isOwnForm(text: string): boolean {
  return kindOfId(text) !== undefined && /^[0-9a-v]{26}$/.test(text.slice(3));
}

/** Characters of the longest name of a record. */
const longestName = 200;

/** True for a text that may be the name of a record, and no id (docs/mcp.md). */
export function standsForId(text: string): boolean {
  return (
    text.length <= longestName &&
    text.trim() !== '' &&
    !text.includes('\0') &&
    text.isWellFormed() &&
    !isOwnForm(text)
  );
}

/** A well-formed id without a record, for an input that is checked before its record is known. */
export function placeholderId(name: ReferenceName): string {
  return `c${kindLetters[name]}${'0'.repeat(26)}`;
}

/** The hint for an id without a record. */
export function missingHint(id: string, name: ReferenceName): string {
  const { listedBy, listedOf, noun }: ReferenceKind = referenceKinds[name];
  const listing = listedOf === undefined ? listedBy : callText(listedBy, { [listedOf]: '…' });
  const kind = kindOfId(id);
  if (kind && kind !== name)
    return `${shownId(id)} is the id of a ${phrase(kind)}; a ${noun} id is wanted (c${kindLetters[name]}…). ${listing} shows them.`;
  return `${listing} shows the ids.`;
}

/** `flowVersion` as the words "flow version". */
function phrase(kind: IdKind): string {
  return kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
