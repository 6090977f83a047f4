import { standsForId } from '../../operation/reference.ts';
import type { NamedRecord, Overview } from './overview.ts';

/** Characters of the longest name that stands for its record here, and of what is shown of a longer one. */
const [longestName, longestShort] = [60, 30];
/** Tokens of an overview, roughly: hosts pay for it at the start of each session. */
const mostTokens = 600;

/** The records of a project by their names, as many as fit. */
export interface ProjectMap {
  /** What answers, by the number. */
  readonly numbers: Readonly<Record<string, string>>;
  /** The conversation, by the web agent. */
  readonly webAgents: Readonly<Record<string, string>>;
  /** The versions, by the flow or conversation. */
  readonly flows: Readonly<Record<string, string>>;
  readonly conversations: Readonly<Record<string, string>>;
  readonly agentProfiles: string[];
  readonly knowledgeBases: string[];
  readonly integrations: string[];
  /** How many records of a kind are left out. */
  readonly notListed: Readonly<Record<string, number>>;
}

/** What stands for a record in a call: its name, or its id if the name is long or not its own. */
export function referenceTo({ id, name, isShared }: NamedRecord): string {
  return !isShared && name.length <= longestName && standsForId(name) ? name : id;
}

/**
 * Maps a project, first what callers meet.
 * @param others what the overview says besides; the map leaves room for it
 */
export function mapOf(overview: Overview, others: object): ProjectMap {
  const { numbers, webAgents, flows, conversations, counts } = overview;
  const { agentProfiles, knowledgeBases, integrations } = overview;
  const entries: Readonly<Record<string, readonly Entry[]>> = {
    phoneNumbers: numbers.map(({ number, name, isEnabled, handler }) => [
      number,
      `${short(name)}${enabled(isEnabled)}: ${handler ? `${handler.kind} ${described(handler)}` : 'nothing'}`,
    ]),
    webAgents: webAgents.map((agent) => [
      described(agent),
      `${described(agent.handler)}${enabled(agent.isEnabled)}`,
    ]),
    flows: flows.map(versionsOf),
    conversations: conversations.map(versionsOf),
    agentProfiles: agentProfiles.map((profile) => [described(profile)]),
    knowledgeBases: knowledgeBases.map((base) => [described(base)]),
    integrations: integrations.map((integration) => [described(integration)]),
  };
  const listed = fitting(entries, mostTokens - roughTokens(JSON.stringify(others)));
  const of = (kind: string) => listed[kind] ?? [];
  // fromEntries makes an own member even of a record called "__proto__".
  const byName = (kind: string) => Object.fromEntries(of(kind).map(([name, what = '']) => [name, what]));
  const names = (kind: string) => of(kind).map(([name]) => name);
  const leftOut = Object.entries(counts).map(([kind, count]) => [kind, count - of(kind).length] as const);
  return {
    numbers: byName('phoneNumbers'),
    webAgents: byName('webAgents'),
    flows: byName('flows'),
    conversations: byName('conversations'),
    agentProfiles: names('agentProfiles'),
    knowledgeBases: names('knowledgeBases'),
    integrations: names('integrations'),
    notListed: Object.fromEntries(leftOut.filter(([, count]) => count > 0)),
  };
}

/** What stands for a record, and what is said about it. */
type Entry = readonly [name: string, what?: string];

/** The first entries of each kind that take so many tokens: one of each kind, then the second of each. */
function fitting(
  entries: Readonly<Record<string, readonly Entry[]>>,
  tokens: number,
): Record<string, readonly Entry[]> {
  const lengths = Object.values(entries).map(({ length }) => length);
  const listed: Record<string, readonly Entry[]> = {};
  let left = tokens;
  for (let index = 0; index < Math.max(...lengths); index++)
    for (const [kind, list] of Object.entries(entries)) {
      const entry = list[index];
      if (!entry) continue;
      left -= roughTokens(JSON.stringify(entry));
      if (left < 0) return listed;
      listed[kind] = list.slice(0, index + 1);
    }
  return listed;
}

/** A record by what stands for it; an id alone says nothing. */
function described(record: NamedRecord): string {
  const reference = referenceTo(record);
  return reference === record.name ? record.name : `${record.id} (${short(record.name)})`;
}

function versionsOf(record: Overview['flows'][number]): Entry {
  const { active, newest, isRejected } = record;
  const newer = newest > active ? `, ${isRejected ? 'rejected' : 'draft'} v${newest}` : '';
  return [described(record), `v${active}${newer}`];
}

function enabled(isEnabled: boolean): string {
  return isEnabled ? '' : ' (disabled)';
}

function short(name: string): string {
  const characters = Array.from(name);
  return characters.length <= longestShort ? name : `${characters.slice(0, longestShort - 1).join('')}…`;
}

/** How tokenizers cut a text: words, digits, syllables of East Asia, pictures, and the rest. */
const pieces =
  /(?<latin>\p{Script=Latin}+)|(?<digits>\d+)|(?<syllables>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+)|(?<letters>[\p{L}\p{M}]+)|(?<picture>\p{Extended_Pictographic})|(?<rest>[^\s\p{L}\p{M}\d\p{Extended_Pictographic}]+)/gu;
/** Letters of a word that is mostly one token; a longer one is cut into pieces of four. */
const commonWord = 9;

/** About as many tokens as a text takes. Names of random letters take up to twice as many. */
function roughTokens(text: string): number {
  let tokens = 0;
  for (const { groups = {} } of text.matchAll(pieces)) {
    const { latin = '', digits = '', syllables = '', letters = '', picture, rest = '' } = groups;
    tokens += latin.length > commonWord ? Math.ceil(latin.length / 4) : Math.sign(latin.length);
    tokens += Math.ceil(digits.length / 3) + syllables.length + Math.ceil(letters.length / 2);
    tokens += Math.ceil(rest.length / 3) + (picture === undefined ? 0 : 3);
  }
  return tokens;
}
