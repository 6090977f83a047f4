import type { Language } from './languages.ts';
import { lexicon } from './numbers.ts';
import { type Found, folded, type Token } from './words.ts';

/** The first ordinals of each language, by their value. */
const firstOrdinals: Readonly<Record<Language, string>> = {
  en: `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth
    seventeenth eighteenth nineteenth`,
  de: 'erst zweit dritt viert fünft sechst siebt|siebent acht neunt zehnt elft zwölft dreizehnt vierzehnt fünfzehnt sechzehnt siebzehnt achtzehnt neunzehnt',
  fr: 'premier|première|1er deuxième|second|seconde troisième quatrième cinquième sixième septième huitième neuvième dixième',
  es: 'primero|primera|primer segundo|segunda tercero|tercera|tercer cuarto|cuarta quinto|quinta sexto|sexta séptimo octavo noveno décimo',
  it: 'primo|prima secondo|seconda terzo|terza quarto|quarta quinto|quinta sesto|sesta settimo ottavo nono decimo',
  nl: `eerste tweede derde vierde vijfde zesde zevende achtste negende tiende elfde twaalfde dertiende veertiende vijftiende zestiende
    zeventiende achttiende negentiende`,
  pt: 'primeiro|primeira segundo|segunda terceiro|terceira quarto|quarta quinto|quinta sexto|sexta sétimo oitavo nono décimo',
  pl: `pierwsz drug trzec czwart piąt szóst siódm ósm dziewiąt dziesiąt jedenast dwunast trzynast czternast piętnast szesnast siedemnast
    osiemnast dziewiętnast`,
};

const endings: Partial<Record<Language, readonly string[]>> = {
  de: ['e', 'en', 'er', 'em', 'es'],
  pl: ['iego', 'ego', 'iej', 'ej', 'im', 'ym', 'ia', 'a', 'i', 'y', 'ie', 'e'],
};

const tensOrdinals: Partial<Record<Language, readonly (readonly [string, number])[]>> = {
  en: [
    ['twentieth', 20],
    ['thirtieth', 30],
  ],
  pl: [
    ['dwudziest', 20],
    ['trzydziest', 30],
  ],
};

const tables = new Map<Language, ReadonlyMap<string, number>>();

function ordinalsOf(language: Language): ReadonlyMap<string, number> {
  const known = tables.get(language);
  if (known) return known;
  const table = new Map<string, number>();
  const add = (stem: string, value: number) => {
    for (const ending of endings[language] ?? ['']) table.set(folded(stem) + ending, value);
  };
  for (const [index, names] of firstOrdinals[language].trim().split(/\s+/).entries())
    for (const name of names.split('|')) add(name, index + 1);
  for (const [name, value] of tensOrdinals[language] ?? []) add(name, value);
  if (language === 'de' || language === 'nl')
    for (const [name, value] of lexicon(language).small)
      if (value >= 20 && value < 100) add(language === 'de' ? `${name}st` : `${name}ste`, value);
  tables.set(language, table);
  return table;
}

/** The ordinal in words that starts at a token, such as "twenty-first". */
export function ordinalAt(
  tokens: readonly Token[],
  from: number,
  language: Language,
): Found<number> | undefined {
  const word = tokens[from]?.word ?? '';
  const next = tokens[from + 1];
  const table = ordinalsOf(language);
  const isNextJoined = next !== undefined && /^[\s-]*$/.test(next.gap);
  const unit = isNextJoined ? table.get(next.word) : undefined;
  const tens =
    language === 'en' ? lexicon('en').small.get(word) : language === 'pl' ? table.get(word) : undefined;
  if (unit !== undefined && unit < 10 && (tens === 20 || tens === 30))
    return { value: tens + unit, from, to: from + 2 };
  const value = table.get(word);
  return value === undefined ? undefined : { value, from, to: from + 1 };
}

/** The words of ordinals. */
export function ordinalWords(language: Language): Iterable<string> {
  return ordinalsOf(language).keys();
}
