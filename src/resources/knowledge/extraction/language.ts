import { francAll } from 'franc';
import type { Block, Section } from './blocks.ts';

/** The text search configurations of Postgres 14, by franc's language codes. */
const configurations: Readonly<Record<string, string>> = {
  arb: 'arabic',
  cat: 'catalan',
  dan: 'danish',
  deu: 'german',
  ell: 'greek',
  eng: 'english',
  eus: 'basque',
  fin: 'finnish',
  fra: 'french',
  gle: 'irish',
  hin: 'hindi',
  hun: 'hungarian',
  hye: 'armenian',
  ind: 'indonesian',
  ita: 'italian',
  lit: 'lithuanian',
  nld: 'dutch',
  nno: 'norwegian',
  nob: 'norwegian',
  npi: 'nepali',
  por: 'portuguese',
  ron: 'romanian',
  rus: 'russian',
  spa: 'spanish',
  srp: 'serbian',
  swe: 'swedish',
  tam: 'tamil',
  tur: 'turkish',
  ydd: 'yiddish',
};
/** Languages without a configuration that would otherwise be mistaken for a related one. */
const others = 'pol ces slk slv hrv bos bul ukr bel mkd est lvs glg afr azj uzn zlm sun jav tgl vie'.split(
  ' ',
);
const only = [...Object.keys(configurations), ...others];

/** The configurations by the language tags that pages declare. */
const ofTag: Readonly<Record<string, string>> = Object.fromEntries(
  `ar arabic ca catalan da danish de german el greek en english eu basque fi finnish fr french ga irish hi hindi
   hu hungarian hy armenian id indonesian it italian lt lithuanian nb norwegian ne nepali nl dutch nn norwegian
   no norwegian pt portuguese ro romanian ru russian es spanish sr serbian sv swedish ta tamil tr turkish yi yiddish`
    .split(/\s+/)
    .flatMap((word, index, words) => (index % 2 === 0 ? [[word, words[index + 1] ?? 'simple']] : [])),
);

/** Letters of the sample: fewer do not suffice, and more change nothing. */
const least = 80;
const most = 2000;
/** The least score of a declared language, relative to the best guess, at which it is believed. */
const near = 0.95;

/** The text search configuration for a document: by its words if there are enough, else as it declares, else `simple`. */
export function languageOf(sections: readonly Section[], lang: string | undefined): string {
  const named = ofTag[lang?.toLowerCase().split(/[-_]/, 1)[0] ?? ''];
  const text = sample(sections);
  if (text.length < least) return named ?? 'simple';
  const guesses = francAll(text, { only, minLength: least });
  const plausible = guesses
    .filter(([, score]) => score >= near)
    .map(([code]) => configurations[code] ?? 'simple');
  if (named !== undefined && plausible.includes(named)) return named;
  return guesses[0]?.[0] === 'und' ? (named ?? 'simple') : (plausible[0] ?? 'simple');
}

/** Sentences from all parts of the document, because names and numbers have no language. */
function sample(sections: readonly Section[]): string {
  const blocks = sections.flatMap((section) => section.blocks);
  let text = '';
  for (const kind of ['text', 'list', 'table'] as const) {
    if (text.length >= least) break;
    const texts = blocks.flatMap((block) => (block.kind === kind ? textsOf(block) : [])).filter(isSentence);
    const step = Math.max(1, Math.floor(texts.length / 20));
    for (let at = 0; at < texts.length && text.length < most; at += step)
      text += ` ${texts[at]?.slice(0, most / 10)}`;
  }
  return text.trim();
}

function textsOf(block: Block): readonly string[] {
  if (block.kind === 'text') return [block.text];
  return block.kind === 'list' ? block.items : block.rows.flat();
}

function isSentence(text: string): boolean {
  return /^\P{L}*(?:\p{L}[\p{L}\p{M}'’-]*\P{L}+){4}/u.test(text);
}
