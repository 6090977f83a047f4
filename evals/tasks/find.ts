import { says, type Task } from '../task.ts';

export const find: readonly Task[] = [
  {
    name: 'number-of-flow',
    words: 'Which phone number does the Front desk flow answer?',
    calls: [
      ['list_flows', {}],
      ['list_phone_numbers', {}],
    ],
    answer: 'The Front desk answers +12025550101.',
    wrong: { answer: 'It answers +12025550102.' },
    check: ({ answer }) => says(answer, ['2025550101'], ['2025550102', '2025550103']),
  },
  {
    name: 'unanswered-number',
    words: 'Is there a phone number that nobody and nothing answers? Give me its name.',
    calls: [['list_phone_numbers', {}]],
    answer: 'Yes, the Spare line.',
    wrong: { answer: 'No, all of them are answered.' },
    check: ({ answer }) => says(answer, ['Spare line'], ['Mobile']),
  },
  {
    name: 'insurance',
    words: 'What does the Front desk tell callers who ask about insurance?',
    calls: [
      ['list_flows', {}],
      ['list_flow_versions', { flowId: '$front', limit: 1 }],
    ],
    answer: 'That you take every private insurance.',
    wrong: { answer: 'It says nothing about insurance.' },
    check: ({ answer }) => says(answer, ['private insurance']),
  },
  {
    name: 'billing-transfer',
    words: 'To which number does the Clinic line send people who ask about a bill?',
    calls: [
      ['list_conversations', {}],
      ['read_design', { conversationId: '$clinic', version: 1, steps: ['billing'] }],
    ],
    answer: 'To +12025550142.',
    wrong: { answer: 'To +12025550190.' },
    check: ({ answer }) => says(answer, ['2025550142'], ['2025550190']),
  },
  {
    name: 'live-version',
    words: 'Which version of the Clinic line do callers hear at the moment?',
    calls: [
      ['list_conversations', {}],
      ['get_conversation', { conversationId: '$clinic' }],
    ],
    answer: 'Version 1.',
    wrong: { answer: 'Version 2.' },
    check: ({ answer }) => /\b1\b/.test(answer) && !/version 2 is live/i.test(answer),
  },
  {
    name: 'unused-flows',
    words: 'Which of our flows are not on any phone number?',
    calls: [
      ['list_flows', {}],
      ['list_phone_numbers', {}],
    ],
    answer: 'Night line and Summer campaign.',
    wrong: { answer: 'Only the Summer campaign.' },
    check: ({ answer }) => says(answer, ['Night line', 'Summer campaign']),
  },
  {
    name: 'websites-of-chat',
    words: 'On which website may the Homepage chat run?',
    calls: [['list_web_agents', {}]],
    answer: 'On https://www.brook.example.',
    wrong: { answer: 'On any website.' },
    check: ({ answer }) => says(answer, ['www.brook.example']),
  },
  {
    name: 'stored-secrets',
    words: 'What are the stored secrets called?',
    calls: [['list_secrets', {}]],
    answer: 'There is one: CRM_TOKEN.',
    wrong: { answer: 'There are none.' },
    check: ({ answer }) => says(answer, ['CRM_TOKEN']),
  },
  {
    name: 'documents',
    words: 'Which document is in our practice facts, and has it been indexed?',
    calls: [
      ['list_knowledge_bases', {}],
      ['list_knowledge_sources', { knowledgeBaseId: '$facts' }],
    ],
    answer: 'The Price list. It has not been indexed yet.',
    wrong: { answer: 'The Price list, fully indexed.' },
    check: ({ answer }) => says(answer, ['Price list']) && /\b(?:not|no|never|idle|deferred)\b/i.test(answer),
  },
  {
    name: 'voice-of-anna',
    words: 'Which voice does Anna have?',
    calls: [['list_agent_profiles', {}]],
    answer: 'Anna speaks with alloy.',
    wrong: { answer: 'Anna speaks with nova.' },
    check: ({ answer }) => says(answer, ['alloy'], ['nova']),
  },
];
