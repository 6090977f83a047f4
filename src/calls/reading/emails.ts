import type { Language } from './languages.ts';
import { isDigits, numeralAt } from './numbers.ts';
import { letterAt } from './spelling.ts';
import {
  breaksClause,
  type Found,
  folded,
  Phrases,
  phrases,
  type Span,
  separated,
  type Token,
} from './words.ts';

const marks: Readonly<Record<'at' | 'dot' | 'dash' | 'underscore' | 'plus', string>> = {
  at: `at|at sign|ät|klammeraffe|affenschwanz|arobase|a commercial|arobas|chez|arroba|chiocciola|chiocciolina|apenstaart|apenstaartje|aapje|małpa|małpka|małpę|et`,
  dot: 'dot|point|period|punkt|punto|punt|ponto|kropka|full stop',
  dash: `dash|hyphen|minus|bindestrich|minuszeichen|tiret|trait d'union|tiret du six|guion|guión|guion medio|trattino|meno|streepje|koppelteken|minteken|
    hífen|traço|tracinho|myślnik|łącznik|kreska|pauza`,
  underscore: `underscore|unterstrich|tiret bas|tiret du bas|souligné|underscore|guion bajo|guión bajo|barra baja|subrayado|trattino basso|liggend streepje|lage streep|
    underline|sublinhado|traço inferior|podkreślenie|podkreślnik|podłoga|dolna kreska`,
  plus: 'plus|più|más|mais',
};
const signs = { at: '@', dot: '.', dash: '-', underscore: '_', plus: '+' } as const;

const symbols = new Phrases(() =>
  (['at', 'dot', 'dash', 'underscore', 'plus'] as const).flatMap((name) =>
    separated(marks[name]).map((phrase): [string, string] => [phrase, signs[name]]),
  ),
);

/** Said about the spelling, in between. */
const remarks = phrases(`all lower case|lower case|lowercase|all one word|one word|all together|in lower case
  alles klein|kleingeschrieben|klein geschrieben|alles kleingeschrieben|alles zusammen|zusammengeschrieben|alles klein geschrieben|in einem wort
  tout en minuscules|en minuscules|tout attaché|en un seul mot|tout collé
  todo junto|en minúsculas|todo en minúsculas|todo minúscula|todo junto y en minúsculas|junto
  tutto minuscolo|tutto attaccato|minuscolo|in minuscolo
  alles kleine letters|kleine letters|aan elkaar|alles aan elkaar|met kleine letters|in kleine letters
  tudo minúsculo|tudo minúscula|tudo junto|em minúsculas|minúsculo|tudo em minúsculas|tudo pegado
  wszystko małymi|małymi literami|małą literą|razem|wszystko razem|pisane razem|łącznie|wszystko małymi literami`);

/** Not parts of an address, although they stand before it. */
const stops = new Set(
  `is it's s it its my email e mail address uh um er so yes yeah sure okay the that ist lautet meine adresse die äh ähm also ja das mir unter est c mon adresse
   euh alors oui es el la mi correo electrónico eh sí pues è la mia mail indirizzo allora ehm sì het adres mijn eh dus o meu endereço hum sim olhe jest to adres mój mail yyy no tak
   at an und and et y en i w na an à a para per naar do`
    .split(/\s+/)
    .map(folded),
);

/** Letters whose names are words: "elle" in Italian. */
const letterNames: Partial<Record<Language, Readonly<Record<string, string>>>> = {
  it: {
    a: 'a',
    bi: 'b',
    ci: 'c',
    di: 'd',
    effe: 'f',
    gi: 'g',
    acca: 'h',
    elle: 'l',
    emme: 'm',
    enne: 'n',
    pi: 'p',
    cu: 'q',
    erre: 'r',
    esse: 's',
    ti: 't',
    vu: 'v',
    zeta: 'z',
    kappa: 'k',
    ics: 'x',
    ipsilon: 'y',
  },
  es: {
    be: 'b',
    ce: 'c',
    efe: 'f',
    ge: 'g',
    hache: 'h',
    jota: 'j',
    ele: 'l',
    eme: 'm',
    ene: 'n',
    pe: 'p',
    cu: 'q',
    erre: 'r',
    ese: 's',
    te: 't',
    uve: 'v',
    zeta: 'z',
    ka: 'k',
    equis: 'x',
  },
  en: { jay: 'jay', kay: 'kay' },
  fr: { emme: 'm', enne: 'n', erre: 'r', esse: 's' },
  pt: {
    ene: 'n',
    eme: 'm',
    ele: 'l',
    efe: 'f',
    erre: 'r',
    esse: 's',
    agá: 'h',
    jota: 'j',
    zê: 'z',
    vê: 'v',
    bê: 'b',
    cê: 'c',
    dê: 'd',
    pê: 'p',
    tê: 't',
    gê: 'g',
  },
};

/** The parts of an address that one token or phrase gives. */
interface Part extends Span {
  readonly text: string;
  readonly isSign: boolean;
  readonly isNumber: boolean;
}

/** The longest address, in tokens on either side of the @. */
const longest = 24;

/** The e-mail addresses that a turn says, in words or in signs. */
export function emailsIn(tokens: readonly Token[], text: string, language: Language): Found<string>[] {
  const found: Found<string>[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    if (index < (found.at(-1)?.to ?? 0)) continue;
    const address = written(tokens, index, text) ?? spoken(tokens, index, language);
    if (address) found.push(address);
  }
  return found;
}

const writtenAddress = /^[a-z0-9][a-z0-9._%+-]{0,63}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}$/;

/** An address in signs: the characters around the @ up to a space. */
function written(tokens: readonly Token[], index: number, text: string): Found<string> | undefined {
  const token = tokens[index];
  if (!token?.gap.includes('@')) return undefined;
  const from = index === 0 ? 0 : startOfWord(tokens, index - 1);
  let to = index + 1;
  while (to < tokens.length && to < index + longest && /^[.-]$/.test(tokens[to]?.gap ?? '')) to += 1;
  const address = folded(text.slice(tokens[from]?.start, tokens[to - 1]?.end));
  return writtenAddress.test(address) ? { value: address, from, to } : undefined;
}

/** The first token of the signs without a space that the token ends. */
function startOfWord(tokens: readonly Token[], index: number): number {
  let from = index;
  while (from > 0 && index - from < longest && /^[._%+-]*$/.test(tokens[from]?.gap ?? ' ')) from -= 1;
  return from;
}

function partAt(tokens: readonly Token[], from: number, language: Language): Part | undefined {
  const token = tokens[from];
  if (!token) return undefined;
  const symbol = symbols.at(tokens, from);
  if (symbol) return { text: symbol.value, isSign: true, isNumber: false, from, to: symbol.to };
  const spelled = letterAt(tokens, from);
  if (spelled && spelled.to > from + 1)
    return { text: spelled.value, isSign: false, isNumber: false, from, to: spelled.to };
  const number = numeralAt(tokens, from, language);
  const isArticle = /^(un|una|uno|une|een|ein|eine|um|uma|o|oh)$/.test(token.word);
  if (number && !isArticle)
    return { text: number.value.digits, isSign: false, isNumber: true, from, to: number.to };
  const letter = letterNames[language]?.[token.word];
  return { text: letter ?? token.word, isSign: false, isNumber: isDigits(token.word), from, to: from + 1 };
}

function spoken(tokens: readonly Token[], index: number, language: Language): Found<string> | undefined {
  const at = symbols.at(tokens, index);
  if (at?.value !== '@') return undefined;
  const domain = domainAfter(tokens, at.to, language);
  const local = domain && localBefore(tokens, index, language);
  if (!domain || !local) return undefined;
  const address = `${local.text}@${domain.text}`;
  return writtenAddress.test(address) ? { value: address, from: local.from, to: domain.to } : undefined;
}

/** A sign that stands between two words without a space. */
function signIn(gap: string): string | undefined {
  return /^[._-]$/.test(gap) ? gap : undefined;
}

function domainAfter(
  tokens: readonly Token[],
  from: number,
  language: Language,
): { text: string; to: number } | undefined {
  let text = '';
  let end = from;
  let index = from;
  let isOpen = true;
  while (index < tokens.length && index < from + longest) {
    const remark = remarks.at(tokens, index);
    if (remark && text === '') {
      index = remark.to;
      continue;
    }
    const part = partAt(tokens, index, language);
    if (
      !part ||
      part.text === '@' ||
      (breaksClause(tokens[index]?.gap ?? '') && !isOpen && tokens[index]?.gap.trim() !== '.')
    )
      break;
    const literalSign = text === '' ? undefined : signIn(tokens[index]?.gap ?? '');
    const isLiteralDot = literalSign !== undefined && !part.isSign;
    if (isLiteralDot) text += literalSign;
    if (!part.isSign && !isOpen && !isLiteralDot && !part.isNumber && part.text.length > 1) break;
    text += part.text;
    isOpen = part.isSign;
    index = part.to;
    if (!part.isSign) end = index;
  }
  const trimmed = text.replace(/[._+-]$/, '');
  return /\.[a-z]{2,}$/.test(trimmed) ? { text: trimmed, to: end } : undefined;
}

/** The words before the @ that belong together: joined by signs, digits or single letters. */
function localBefore(
  tokens: readonly Token[],
  at: number,
  language: Language,
): { text: string; from: number } | undefined {
  const parts = partsBefore(tokens, at, language);
  const local: Part[] = [];
  for (const part of parts.toReversed()) {
    const next = local[0];
    if (!next) {
      const isSpelledOut = part.text.length === 1 && parts.at(-2)?.text.length === 1;
      if (part.isSign || (stops.has(tokens[part.from]?.word ?? '') && !isSpelledOut)) return undefined;
    } else if (!part.isSign && !next.isSign) {
      const isSpelled = next.text.length === 1 && part.text.length === 1;
      const isWithDigits = next.isNumber && !stops.has(tokens[part.from]?.word ?? '');
      const isBroken = breaksClause(tokens[next.from]?.gap ?? '') && !isSpelled;
      const isInitial = part.text.length === 1 && !stops.has(part.text);
      const sign = isSpelled ? undefined : signIn(tokens[next.from]?.gap ?? '');
      if (sign !== undefined) {
        local.unshift({ ...part, text: part.text + sign });
        continue;
      }
      if (isBroken || !(isSpelled || isWithDigits || part.isNumber || isInitial)) break;
    }
    if (part.text === '@') break;
    local.unshift(part);
  }
  while (local[0]?.isSign) local.shift();
  const [first] = local;
  return first && { text: local.map((part) => part.text).join(''), from: first.from };
}

function partsBefore(tokens: readonly Token[], at: number, language: Language): Part[] {
  const parts: Part[] = [];
  for (let index = Math.max(0, at - longest); index < at; ) {
    const remark = remarks.at(tokens, index);
    if (remark) {
      index = remark.to;
      continue;
    }
    if (parts.length > 0 && startsAside(tokens, index)) {
      index = endOfAside(tokens, index, at);
      continue;
    }
    const part = partAt(tokens, index, language);
    if (!part) break;
    if (part.to <= at) parts.push(part);
    index = part.to;
  }
  return parts;
}

/** Begins an aside about the spelling: "claire, with an e, at example dot com". */
const asides = new Set(
  'with avec mit con met com z also like sans ohne senza bez sem zonder dus without'.split(' '),
);

function startsAside(tokens: readonly Token[], index: number): boolean {
  return asides.has(tokens[index]?.word ?? '') && (tokens[index]?.gap ?? '').includes(',');
}

function endOfAside(tokens: readonly Token[], from: number, at: number): number {
  let index = from + 1;
  while (index < at && !(tokens[index]?.gap ?? '').includes(',')) index += 1;
  return index;
}
