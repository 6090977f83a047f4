import type { Use } from './uses.ts';

/** What uses a record, in words. */
export interface Uses {
  /** The numbers and web agents on which callers meet it. */
  readonly reachedBy: readonly string[];
  /** The records that refer to it. */
  readonly usedBy: readonly string[];
}

/** The kinds of a record that callers meet, and of one that refers to another, as words. */
const nouns: Readonly<Record<Use['kind'], string>> = {
  phoneNumber: 'phone number',
  webAgent: 'web agent',
  flow: 'flow',
  conversation: 'conversation',
  agentProfile: 'agent profile',
};

/** The uses of each record, by its id. */
export function usesById(uses: readonly Use[]): (id: string) => Uses {
  const byId = Map.groupBy(uses, ({ usedId }) => usedId);
  const inWords = (isWanted: (use: Use) => boolean, id: string) => [
    ...new Set((byId.get(id) ?? []).filter(isWanted).map(wordsOf)),
  ];
  return (id) => ({ reachedBy: inWords(isMet, id), usedBy: inWords((use) => !isMet(use), id) });
}

function isMet({ kind }: Use): boolean {
  return kind === 'phoneNumber' || kind === 'webAgent';
}

function wordsOf({ kind, name, number }: Use): string {
  return number === null ? `${nouns[kind]} ${name}` : `${number} (${name})`;
}
