import type { Facts } from '../../design/facts.ts';
import type { Design } from '../../design/schema/design.ts';
import { referenceKinds, shownId, standsForId } from '../../operation/reference.ts';
import { similarNames } from '../../platform/closest.ts';

/** A kind of record that a design refers to, by id or by name. */
export const designKinds = ['integration', 'knowledgeBase', 'conversation'] as const;
export type DesignKind = (typeof designKinds)[number];

/** A record that a text of a design names. */
export interface NamedMatch {
  readonly kind: DesignKind;
  readonly word: string;
  readonly id: string;
  readonly name: string;
}

/** Texts that may be names, and what they name. */
export interface NamesInDesign {
  readonly ids: ReadonlyMap<string, string>;
  readonly hints: NonNullable<Facts['nameHints']>;
}

/** Names and records that a hint lists. */
const [mostSuggested, mostListed] = [3, 10];

/** What stands in place of ids in a list. */
export function wordsIn(ids: readonly string[]): string[] {
  return ids.filter(standsForId);
}

/**
 * The ids of texts that are the name of one record, and hints for the others.
 * @param known names of the kinds, among which a hint looks for one that is spelled alike
 */
export function namesFound(
  words: ReadonlyMap<DesignKind, readonly string[]>,
  matches: readonly NamedMatch[],
  known: ReadonlyMap<DesignKind, readonly string[]>,
): NamesInDesign {
  const ids = new Map<string, string>();
  const hints = new Map<string, string>();
  for (const [kind, given] of words)
    for (const word of given) {
      const named = matches.filter((match) => match.kind === kind && match.word === word);
      // An imported record may have an id of another form.
      if (named.some(({ id }) => id === word)) continue;
      const exact = named.filter(({ name }) => name.trim() === word.trim());
      const records = exact.length > 0 ? exact : named;
      const [only] = records;
      if (only && records.length === 1) ids.set(nameKey(kind, word), only.id);
      else hints.set(nameKey(kind, word), hintFor(kind, word, records, known.get(kind) ?? []));
    }
  return { ids, hints };
}

function hintFor(
  kind: DesignKind,
  word: string,
  records: readonly NamedMatch[],
  known: readonly string[],
): string {
  const { noun, listedBy } = referenceKinds[kind];
  if (records.length > 0) {
    const listed = records.slice(0, mostListed).map(({ id }) => id);
    return `${records.length} records of the kind ${noun} have this name. Give the id of one: ${listed.join(', ')}.`;
  }
  const similar = similarNames({ word, known }, mostSuggested).map((name) => JSON.stringify(shownId(name)));
  const listed = `${listedBy} shows the ids.`;
  return similar.length > 0 ? `Did you mean ${similar.join(' or ')}? ${listed}` : listed;
}

/** The design with ids in place of the names that are found. */
export function withRecordIds(design: Design, { ids }: Pick<NamesInDesign, 'ids'>): Design {
  if (ids.size === 0) return design;
  const idOf = (kind: DesignKind, word: string) => ids.get(nameKey(kind, word)) ?? word;
  const { integrations, knowledge, steps } = design;
  return {
    ...design,
    ...(integrations && {
      integrations: integrations.map((one) => ({
        ...one,
        integrationId: idOf('integration', one.integrationId),
      })),
    }),
    ...(knowledge && {
      knowledge: knowledge.map((one) => ({
        ...one,
        knowledgeBaseId: idOf('knowledgeBase', one.knowledgeBaseId),
      })),
    }),
    steps: Object.fromEntries(
      Object.entries(steps).map(([stepId, step]) => {
        if (step.kind !== 'transfer' || step.destination.kind !== 'conversation') return [stepId, step];
        const value = idOf('conversation', step.destination.value);
        return [stepId, { ...step, destination: { ...step.destination, value } }];
      }),
    ),
  };
}

function nameKey(kind: DesignKind, word: string): string {
  return `${kind} ${word}`;
}
