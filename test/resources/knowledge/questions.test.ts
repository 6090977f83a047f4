import { expect, test } from 'vitest';
import { readQuestions, wordsOf } from '../../../bench/quality/questions.ts';

const run = 4;

/** Every four consecutive words of a text. */
function runsOf(text: string): string[] {
  const words = wordsOf(text);
  return words.slice(run - 1).map((_, at) => words.slice(at, at + run).join(' '));
}

const questions = readQuestions();

test('the benchmark has a hundred questions, each with a passage', () => {
  expect(questions).toHaveLength(100);
  expect(questions.filter(({ question, passage }) => question === '' || passage === '')).toStrictEqual([]);
});

test.each(questions.map(({ number, question, passage }) => [number, question, passage]))(
  'question %s shares no four words in a row with its passage',
  (_, question, passage) => {
    const inPassage = new Set(runsOf(passage));
    expect(runsOf(question).filter((words) => inPassage.has(words))).toStrictEqual([]);
  },
);
