import type { Design } from './schema/design.ts';

/** What a new conversation says before anybody has designed it. */
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
      instruction: 'Answer what the caller asks. Say so where you do not know.',
      on: { next: 'goodbye' },
    },
    goodbye: { kind: 'end', line: 'Thank you for calling. Goodbye.' },
  },
};
