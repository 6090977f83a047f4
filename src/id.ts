import { randomBytes } from 'node:crypto';

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
const randomDigits = 16;

/**
 * A new id: `c`, two letters of kind, ten base32 digits of the time in milliseconds, sixteen random ones
 * (80 bits). Ids of one kind sort by time of creation under the collation "C".
 */
export function newId(kind: IdKind, now = Date.now()): string {
  let time = '';
  for (let rest = now, place = 0; place < timeDigits; place++, rest = Math.floor(rest / 32))
    time = digits.charAt(rest % 32) + time;
  let random = '';
  for (const byte of randomBytes(randomDigits)) random += digits.charAt(byte & 31);
  return `c${kindLetters[kind]}${time}${random}`;
}

const kinds = new Map<string, IdKind>(
  Object.entries(kindLetters).map(([kind, letters]) => [letters, kind as IdKind]),
);

/** What a well-formed id names by its letters, or undefined where they are none of ours. */
export function kindOfId(id: string): IdKind | undefined {
  return id.startsWith('c') ? kinds.get(id.slice(1, 3)) : undefined;
}
