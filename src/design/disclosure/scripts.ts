import type { Token } from './tokens.ts';

/** The alphabet of a language. */
export type Script = 'latin' | 'cyrillic' | 'greek';

const letters: Readonly<Record<Script, RegExp>> = {
  latin: /\p{Script=Latin}/u,
  cyrillic: /\p{Script=Cyrillic}/u,
  greek: /\p{Script=Greek}/u,
};

/** Latin words that read the same, or nearly, in Cyrillic or Greek letters. */
const twoFaced = /^[aceopxyuniHABCEHIKMNOPTXYZ]+$/;

/** The alphabet of a text, by its first letter. */
export function scriptOf(text: string): Script {
  return (['cyrillic', 'greek'] as const).find((script) => letters[script].test(text)) ?? 'latin';
}

/**
 * True for a word that may be another one in disguise: in two alphabets, in another than its language's, or Latin
 * with letters that pass for those of the language.
 */
export function isDisguised(
  { raw, kind }: Token,
  { script, acronyms }: { readonly script: Script; readonly acronyms: ReadonlySet<string> },
): boolean {
  if (kind !== 'word' || !/\p{L}/u.test(raw)) return false;
  const foreign = (Object.keys(letters) as Script[]).filter(
    (other) => other !== script && letters[other].test(raw),
  );
  if (foreign.length === 0) return /^\p{L}+\d+\p{L}+$/u.test(raw);
  if (letters[script].test(raw) || script === 'latin' || foreign[0] !== 'latin') return true;
  return twoFaced.test(raw) && !acronyms.has(raw);
}
