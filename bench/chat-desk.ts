import type { Design } from '../src/design/schema/design.ts';

/** What the agent says in each turn. */
export const question = 'Book a table, or speak to a person?';

/** Asks the same question for ever, and reads what the visitor writes by rule. */
export const desk: Design = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  steps: {
    hello: { kind: 'greeting', introLine: 'Hello, I am an AI assistant.', on: { next: 'menu' } },
    menu: {
      kind: 'route',
      prompt: question,
      options: [{ id: 'bye', title: 'Goodbye', description: 'The visitor leaves.', target: 'bye' }],
      on: { fallback: 'menu' },
    },
    bye: { kind: 'end', line: 'Goodbye.' },
  },
};
