import { says, type Task } from '../task.ts';

export const compare: readonly Task[] = [
  {
    name: 'draft-with-live',
    words:
      'What would change for callers if the newest draft of the Clinic line went live? Do not put it live.',
    calls: [
      ['list_conversations', {}],
      ['diff_designs', { conversationId: '$clinic' }],
    ],
    answer: 'It would say that you are open from 8 to 8 instead of from 8 to 6.',
    wrong: { answer: 'Nothing would change.' },
    check: ({ answer }) => says(answer, ['8 to 8']),
  },
  {
    name: 'flow-versions',
    words: 'What does the live version of the Front desk do that its first version did not?',
    calls: [
      ['list_flows', {}],
      ['list_flow_versions', { flowId: '$front' }],
    ],
    answer: 'It closes the call with "Bye."',
    wrong: { answer: 'It hands callers in pain over.' },
    check: ({ answer }) => says(answer, ['bye']),
  },
  {
    name: 'three-versions',
    words: 'How does the third version of the Clinic line differ from the first? Name every difference.',
    setUp: [
      [
        'edit_design',
        { conversationId: '$clinic', version: 2, merge: { steps: { bye: { line: 'Have a nice day.' } } } },
      ],
    ],
    calls: [
      ['list_conversations', {}],
      ['diff_designs', { conversationId: '$clinic', version: 3, against: 1 }],
    ],
    answer: 'The hours are 8 to 8, and the call ends with "Have a nice day."',
    wrong: { answer: 'The call ends with "Have a nice day."' },
    check: ({ answer }) => says(answer, ['8 to 8', 'nice day']),
  },
  {
    name: 'profiles',
    words: 'Who is our default speaker, Anna or Ben, and which voice does the other one have?',
    calls: [['list_agent_profiles', {}]],
    answer: 'Anna is the default. Ben has the voice nova.',
    wrong: { answer: 'Ben is the default. Anna has the voice alloy.' },
    check: ({ answer }) => says(answer, ['Anna', 'nova']) && !/ben is (?:the|your|our) default/i.test(answer),
  },
];
