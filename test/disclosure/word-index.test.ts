import { expect, test } from 'vitest';
import type { Language } from '../../src/disclosure/language.ts';
import { languages, termsLanguages } from '../../src/disclosure/languages/index.ts';
import { normalise } from '../../src/disclosure/normalise.ts';
import { matches, type Pattern } from '../../src/disclosure/patterns.ts';
import type { TermsLanguage } from '../../src/disclosure/terms.ts';
import { sentencesOf, type Token } from '../../src/disclosure/tokens.ts';
import type { WordIndex } from '../../src/disclosure/word-index.ts';
import { allLines } from './measure.ts';

const sentences = allLines().flatMap(({ code, lines }) =>
  lines.flatMap(({ line }) => sentencesOf(normalise(line)).map(({ tokens }) => ({ code, tokens }))),
);

/** Collects what the index of a language leaves out of its sentences although it applies to them. */
function missed<Of extends { readonly codes: readonly string[] }, Item>(
  of: readonly Of[],
  indexOf: (language: Of) => WordIndex<Item>,
  applies: (item: Item, tokens: readonly Token[]) => boolean,
): Item[] {
  return sentences.flatMap(({ code, tokens }) =>
    of
      .filter(({ codes }) => codes.includes(code))
      .flatMap((language) => {
        const index = indexOf(language);
        const found = new Set(index.in(tokens));
        return index.all.filter((item) => !found.has(item) && applies(item, tokens));
      }),
  );
}

const matchesIn = (one: Pattern, tokens: readonly Token[]) => matches(tokens, one).length > 0;

test.each([
  'terms',
  'humans',
  'humanIdioms',
  'vagueTerms',
  'asides',
  'harmlessPhrases',
  'corrections',
] as const)('finds all %s in the lines of the languages with full data', (list) => {
  expect(missed<Language, Pattern>(languages, (language) => language[list], matchesIn)).toEqual([]);
});

test.each(['terms', 'humans', 'conditions', 'cues', 'blocks'] as const)(
  'finds all %s in the lines of the other languages',
  (list) => {
    expect(missed<TermsLanguage, Pattern>(termsLanguages, (language) => language[list], matchesIn)).toEqual(
      [],
    );
  },
);

test.each(['frames', 'introducing'] as const)('finds all %s whose parts stand in a line', (list) => {
  const frames = missed(
    languages,
    (language) => language[list],
    ({ before, after }, tokens) =>
      [before, after].every((part) => part.length === 0 || matchesIn(part, tokens)),
  );
  expect(frames).toEqual([]);
});
