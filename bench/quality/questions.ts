import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A question with the passage that answers it. */
export interface Question {
  readonly number: string;
  readonly language: string;
  readonly question: string;
  /** `site/en/dogs.html` */
  readonly document: string;
  readonly passage: string;
}

const folder = path.resolve(import.meta.dirname, '../../test/knowledge');

/** The hundred questions, which were written before there was anything to find (`test/knowledge`). */
export function readQuestions(): Question[] {
  const answers = new Map(rows('answers.tsv').map(([number = '', ...rest]) => [number, rest]));
  return rows('questions.tsv').map(([number = '', language = '', question = '']) => {
    const [document = '', passage = ''] = answers.get(number) ?? [];
    return { number, language, question, document, passage };
  });
}

function rows(file: string): string[][] {
  const [, ...lines] = readFileSync(path.join(folder, file), 'utf8').trim().split('\n');
  return lines.map((line) => line.split('\t'));
}

/** The words of a text as they are compared: in small letters, without punctuation. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

const enough = 0.6;

/**
 * Which of the texts of a document hold a passage: those with all of it, in order; where it was split, and none has
 * it, those with enough of its words.
 */
export function holdersOf(passage: string, texts: readonly string[]): string[] {
  const wanted = wordsOf(passage);
  const whole = texts.filter((text) => ` ${wordsOf(text).join(' ')} `.includes(` ${wanted.join(' ')} `));
  if (whole.length > 0) return whole;
  return texts.filter((text) => {
    const there = new Set(wordsOf(text));
    return wanted.filter((word) => there.has(word)).length >= enough * wanted.length;
  });
}
