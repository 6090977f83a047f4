/** A lexeme of a base's word list that stands for a word of a query. */
export interface Lexeme {
  readonly lexeme: string;
  /** How many chunks contain it; 0 if none is known to. */
  readonly chunks: number;
  /** 1 for the word itself, less for a similar one. */
  readonly likeness: number;
}

/** Whether any chunk contains one of the lexemes. */
export function isKnown(lexemes: readonly Lexeme[]): boolean {
  return lexemes.some(({ chunks }) => chunks > 0);
}

/** A tsquery that matches any of the lexemes. */
export function anyOf(lexemes: readonly Lexeme[]): string {
  return lexemes.map(({ lexeme }) => `'${lexeme.replaceAll(/['\\]/g, '$&$&')}'`).join(' | ');
}
