import { randomBytes, randomInt } from 'node:crypto';

/** The two letters of each kind of id (`decisions` 1). */
export const kindLetters = {
  organization: 'og',
  project: 'pr',
  key: 'ak',
  flow: 'fl',
  flowVersion: 'fv',
  conversation: 'cv',
  agentProfile: 'ap',
  voice: 'vo',
  webAgent: 'wa',
  knowledgeBase: 'kb',
  knowledgeSource: 'ks',
  phoneNumber: 'pn',
  integration: 'in',
  trash: 'tr',
  audit: 'au',
} as const;

export type IdKind = keyof typeof kindLetters;

const digits = '0123456789abcdefghijklmnopqrstuv';
const timeDigits = 10;
const sequenceDigits = 6;
const randomDigits = 10;

let latest = -1;
let sequence = 0;

/**
 * A new id: `c`, two letters of kind, ten base32 digits of the time in milliseconds, sixteen more. Ids of
 * one kind that one process makes sort in the order of their making under the collation "C": within a
 * millisecond the first six of the sixteen count on from a random start, and all others are random
 * (80 bits, and 50 for what shares its millisecond; RFC 9562 part 6.2, method 1).
 */
export function newId(kind: IdKind, now = Date.now()): string {
  // A start in the lower half leaves more room to count than a millisecond can use.
  sequence = now === latest ? sequence + 1 : randomInt(2 ** (5 * sequenceDigits - 1));
  latest = now;
  let random = '';
  for (const byte of randomBytes(randomDigits)) random += digits.charAt(byte & 31);
  return `c${kindLetters[kind]}${base32(now, timeDigits)}${base32(sequence, sequenceDigits)}${random}`;
}

function base32(value: number, length: number): string {
  return value.toString(32).padStart(length, '0');
}

const kinds = new Map<string, IdKind>(
  Object.entries(kindLetters).map(([kind, letters]) => [letters, kind as IdKind]),
);

/** What a well-formed id names by its letters, or undefined where they are none of ours. */
export function kindOfId(id: string): IdKind | undefined {
  return id.startsWith('c') ? kinds.get(id.slice(1, 3)) : undefined;
}
