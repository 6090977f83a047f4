import { says, type Task } from '../task.ts';

export const explain: readonly Task[] = [
  {
    name: 'plan',
    words: 'Which plan are we on?',
    calls: [['list_projects', {}]],
    answer: 'On the enterprise plan.',
    wrong: { answer: 'On the free plan.' },
    check: ({ answer }) => says(answer, ['enterprise']),
  },
  {
    name: 'format',
    words: 'Which kind of step does a design need to ask callers for their name and date of birth?',
    calls: [
      ['describe_design', {}],
      ['describe_design', { kind: 'collect' }],
    ],
    answer: 'A collect step.',
    wrong: { answer: 'A message step.' },
    check: ({ answer }) => says(answer, ['collect']),
  },
  {
    name: 'billing-call',
    words: 'What happens on the live Clinic line if I ask about a bill and nobody picks up?',
    calls: [
      ['list_conversations', {}],
      ['read_design', { conversationId: '$clinic', version: 1 }],
    ],
    answer: 'You are transferred to +12025550142; if that fails, it says "Goodbye." and ends the call.',
    wrong: { answer: 'You are asked to call again.' },
    check: ({ answer }) => /goodbye|ends|hangs up/i.test(answer),
  },
  {
    name: 'own-key',
    words: 'What is the scope of the key that you are using?',
    calls: [['get_current_key', {}]],
    answer: 'platform',
    wrong: { answer: 'service_app' },
    check: ({ answer }) => says(answer, ['platform'], ['service_platform']),
  },
  {
    name: 'template',
    words: 'Is there a ready-made template for taking table reservations? Tell me its key.',
    calls: [['list_templates', {}]],
    answer: 'Yes: restaurant-reservation.',
    wrong: { answer: 'No.' },
    check: ({ answer }) => says(answer, ['restaurant-reservation']),
  },
  {
    name: 'usage',
    words: 'Have we used any model tokens this month? Yes or no.',
    calls: [['get_project_usage', {}]],
    answer: 'No.',
    wrong: { answer: 'Yes, plenty.' },
    check: ({ answer }) => /\b(?:no|none|nothing)\b/i.test(answer) && !/^yes/i.test(answer),
  },
];
