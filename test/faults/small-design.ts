/** A design of two steps, which discloses the AI. */
export const design = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  steps: {
    hello: { kind: 'greeting', introLine: 'Hello, I am an AI assistant.', on: { next: 'bye' } },
    bye: { kind: 'end', line: 'Goodbye.' },
  },
};
