import { spellers } from './name-words.ts';
import { breaksClause, type Found, type Token } from './words.ts';

/** Words spelled in letters: "S, M, I, T, H" or "B as in boy, A, X". */
export function spelledIn(tokens: readonly Token[]): Found<string>[] {
  const found: Found<string>[] = [];
  for (let index = 0; index < tokens.length; ) {
    let letters = '';
    let next = index;
    for (let item = letterAt(tokens, next); item; item = letterAt(tokens, next)) {
      letters += item.value;
      next = item.to;
    }
    if (letters.length >= 3) found.push({ value: letters, from: index, to: next });
    index = letters.length >= 3 ? next : index + 1;
  }
  return found;
}

/** A letter of a spelled word, with its example: "S as in Sam". */
export function letterAt(tokens: readonly Token[], from: number): Found<string> | undefined {
  const token = tokens[from];
  if (!token) return undefined;
  if (
    /^(double|doppel|doppelt|doble|doppia|doppio|dubbel|dubbele|dois|duas|podwojne|podwojna|deux|zwei|zweimal|twee|due|dwa|dwie)$/.test(
      token.word,
    )
  ) {
    const letter = tokens[from + 1];
    return letter && isLetter(letter) ? { value: letter.word.repeat(2), from, to: from + 2 } : undefined;
  }
  if (!isLetter(token)) return undefined;
  const speller = tokens[from + 1];
  // "S as in Sam", "S jak Stanisław"
  if (speller && !breaksClause(speller.gap) && spellers.has(speller.word)) {
    const start =
      speller.word === 'as' && /^(in|for)$/.test(tokens[from + 2]?.word ?? '') ? from + 3 : from + 2;
    const example = tokens[start];
    if (example?.word.startsWith(token.word)) return { value: token.word, from, to: start + 1 };
  }
  return { value: token.word, from, to: from + 1 };
}

function isLetter(token: Token): boolean {
  return token.word.length === 1 && /\p{L}/u.test(token.word) && !/['’]/.test(token.gap);
}
