import type { Design } from '../../src/design/schema/design.ts';

/** What {@link patientDesk} says in each turn. */
export const patientQuestion = 'Book a table, or speak to a person?';

/** Asks the same question for ever, and reads what the visitor writes by rule. A "zebra" gets the question alone. */
export const patientDesk: Design = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  steps: {
    hello: { kind: 'greeting', introLine: 'Hello, I am an AI assistant.', on: { next: 'menu' } },
    menu: {
      kind: 'route',
      prompt: patientQuestion,
      options: [
        { id: 'again', title: 'Zebra', description: 'The visitor says zebra.', target: 'menu' },
        { id: 'bye', title: 'Goodbye', description: 'The visitor leaves.', target: 'bye' },
      ],
      on: { fallback: 'menu' },
    },
    bye: { kind: 'end', line: 'Goodbye.' },
  },
};
