import { says, type Task } from '../task.ts';

export const prove: readonly Task[] = [
  {
    name: 'disclosure',
    words:
      'Does every call through the live Clinic line say that an AI is speaking before it asks anything? Yes or no.',
    calls: [
      ['list_conversations', {}],
      ['prove_design', { conversationId: '$clinic', version: 1 }],
    ],
    answer: 'Yes.',
    wrong: { answer: 'No.' },
    check: ({ answer }) => /\byes\b/i.test(answer),
  },
  {
    name: 'transfer-after-menu',
    words:
      'Can a caller of the Clinic line be put through to billing without having been in the menu? Yes or no.',
    calls: [
      ['list_conversations', {}],
      [
        'prove_design',
        {
          conversationId: '$clinic',
          version: 1,
          properties: [{ property: 'alwaysBefore', always: { step: 'menu' }, before: { step: 'billing' } }],
        },
      ],
    ],
    answer: 'No.',
    wrong: { answer: 'Yes.' },
    check: ({ answer }) => /\bno\b/i.test(answer) && !/^yes/i.test(answer),
  },
  {
    name: 'billing-after-hours',
    words:
      'Can a caller of the Clinic line who was told our hours still reach billing in that call? Yes or no.',
    calls: [
      ['list_conversations', {}],
      [
        'prove_design',
        {
          conversationId: '$clinic',
          version: 1,
          properties: [{ property: 'neverAfter', never: { step: 'billing' }, after: { step: 'hours' } }],
        },
      ],
    ],
    answer: 'No.',
    wrong: { answer: 'Yes.' },
    check: ({ answer }) => /\bno\b/i.test(answer) && !/^yes/i.test(answer),
  },
  {
    name: 'greeting-accepted',
    words:
      'Would Parley accept "Hello, this is Anna at the front desk." as the greeting of the Clinic line? Try it without storing anything. Yes or no.',
    calls: [
      ['list_conversations', {}],
      [
        'validate_design',
        {
          conversationId: '$clinic',
          version: 1,
          merge: { steps: { hello: { introLine: 'Hello, this is Anna at the front desk.' } } },
        },
      ],
    ],
    answer: 'No, because it does not say that an AI is speaking.',
    wrong: { answer: 'Yes.' },
    check: ({ answer }) => /\bno\b/i.test(answer) && !/^yes/i.test(answer),
  },
  {
    name: 'unreachable-step',
    words:
      'Somebody edited the Clinic line. Is there a step in its newest version that no caller can reach? Name it.',
    setUp: [
      [
        'edit_design',
        {
          conversationId: '$clinic',
          version: 2,
          patch: [
            {
              op: 'add',
              path: '/steps/parking',
              value: { kind: 'message', text: 'Park behind us.', on: { next: 'bye' } },
            },
          ],
        },
      ],
    ],
    calls: [
      ['list_conversations', {}],
      ['draw_design', { conversationId: '$clinic', version: 3 }],
    ],
    answer: 'Yes, the step parking.',
    wrong: { answer: 'No, callers can reach every step.' },
    check: ({ answer }) => says(answer, ['parking']),
  },
];
