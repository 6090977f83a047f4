import type { Design } from './schema/design.ts';

/** The design of a new conversation that was created without one. */
export const starterDesign: Design = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'greeting' },
  steps: {
    greeting: {
      kind: 'greeting',
      introLine: 'Hello, I am an AI assistant. How can I help you?',
      on: { next: 'help' },
    },
    help: {
      kind: 'answer',
      instruction: 'Answer what the caller asks. If you do not know the answer, say so.',
      on: { next: 'goodbye' },
    },
    goodbye: { kind: 'end', line: 'Thank you for calling. Goodbye.' },
  },
};
