import type { Step } from '../../../design/schema/design.ts';
import { objectsOf } from '../../designs/greeting.ts';
import { type Compilation, clipped, type FlowPlace, Names } from './compilation.ts';
import { expectedAnswer } from './expected-answer.ts';

/** A question of a simple flow. */
export interface Question {
  /** The id of the variable that holds the answer: the key of the question. */
  readonly id: string;
  readonly prompt: string;
  readonly isRequired: boolean;
}

type Item = Extract<Step, { kind: 'collect' }>['collect'][number];

/** Characters of the longest key that becomes the id of a variable. */
const longestId = 100;

/** The questions that have words, each with an id of its own. */
export function questionsIn(compilation: Compilation, list: unknown, place: FlowPlace): Question[] {
  const ids = new Names();
  return [...objectsOf(list)].flatMap(([index, { key, prompt, required }]) => {
    const text = compilation.text(prompt, [...place, index, 'prompt']);
    if (text === undefined) {
      compilation.skip([...place, index], 'Has no words to ask with.');
      return [];
    }
    const wanted = typeof key === 'string' ? clipped(key.trim(), longestId) : '';
    const id = ids.take(wanted === '' ? `question${index + 1}` : wanted);
    if (id !== key)
      compilation.skip([...place, index, 'key'], `The answer is called ${JSON.stringify(id)} instead.`);
    return [{ id, prompt: text, isRequired: required === true }];
  });
}

/** The item of a collect step that a question becomes. */
export function itemOf({ id, prompt, isRequired }: Question, index: number): Item {
  return {
    id,
    variableId: id,
    description: prompt,
    // The step asks an optional item once if it has a question, and its prompt has asked the first one.
    ...((isRequired || index > 0) && { question: prompt }),
    expects: expectedAnswer(id, prompt),
    ...(isRequired && { required: true }),
  };
}
