import { expect, test } from 'vitest';
import { readQuestions, wordsOf } from '../../bench/quality/questions.ts';

const run = 4;

/** Every four words of a text that follow each other. */
function runsOf(text: string): string[] {
  const words = wordsOf(text);
  return words.slice(run - 1).map((_, at) => words.slice(at, at + run).join(' '));
}

const questions = readQuestions();

test('there are a hundred questions, and each has a passage', () => {
  expect(questions).toHaveLength(100);
  expect(questions.filter(({ question, passage }) => question === '' || passage === '')).toStrictEqual([]);
});

test.each(questions.map(({ number, question, passage }) => [number, question, passage]))(
  'question %s shares no four words in a row with its passage',
  (_, question, passage) => {
    const there = new Set(runsOf(passage));
    expect(runsOf(question).filter((words) => there.has(words))).toStrictEqual([]);
  },
);
