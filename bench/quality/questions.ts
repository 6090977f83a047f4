import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A question and the passage that answers it. */
export interface Question {
  readonly number: string;
  readonly language: string;
  readonly question: string;
  /** For example `site/en/dogs.html`. */
  readonly document: string;
  readonly passage: string;
}

const folder = path.resolve(import.meta.dirname, '../../test/resources/knowledge');

/** The hundred questions of `test/resources/knowledge`. They were written before the search. */
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

/** Returns the words of a text for comparison: in lower case, without punctuation. */
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
 * Returns the texts of a document that contain a passage: those with the whole passage or, if the passage was split,
 * those with enough of its words.
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
