import { type Made, named, says, type Task } from '../task.ts';

export const share: readonly Task[] = [
  {
    name: 'another-website',
    words: 'The Homepage chat should also run on https://shop.brook.example.',
    touches: ['webAgents'],
    calls: [
      ['list_web_agents', {}],
      ['update_web_agent', { webAgentId: '$chat', addOrigins: ['https://shop.brook.example'] }],
    ],
    wrong: {
      calls: [['update_web_agent', { webAgentId: '$chat', allowedOrigins: ['https://shop.brook.example'] }]],
    },
    async check({ ids, get }) {
      const { allowedOrigins } = await get(`/v1/web-sessions/agents/${ids['chat']}`);
      return allowedOrigins.toSorted().join() === 'https://shop.brook.example,https://www.brook.example';
    },
  },
  {
    name: 'web-agent',
    words: 'Let visitors of https://booking.brook.example talk to and write to the Clinic line.',
    touches: ['webAgents'],
    calls: [
      ['list_conversations', {}],
      [
        'create_web_agent',
        {
          name: 'Booking',
          conversationId: '$clinic',
          scopes: ['voice', 'chat'],
          allowedOrigins: ['https://booking.brook.example'],
        },
      ],
    ],
    wrong: {
      calls: [
        [
          'create_web_agent',
          { name: 'Booking', conversationId: '$clinic', scopes: ['voice', 'chat'], allowedOrigins: ['*'] },
        ],
      ],
    },
    async check({ ids, get }) {
      const body = await get(`/v1/projects/${ids['project']}/web-sessions/agents`);
      return body.webAgents.some(
        ({ conversationId, scopes, allowedOrigins }: Made) =>
          conversationId === ids['clinic'] &&
          scopes.length === 2 &&
          allowedOrigins.join() === 'https://booking.brook.example',
      );
    },
  },
  {
    name: 'page-key',
    words: 'Our web shop needs a key to start chats from its pages. Make one called Shop.',
    touches: ['keys'],
    calls: [['mint_key', { keyType: 'publishable', name: 'Shop' }]],
    wrong: { calls: [['mint_key', { keyType: 'publishable' }]] },
    async check({ ids, get }) {
      const made = await named(get, `/v1/projects/${ids['project']}/keys`, 'keys', 'Shop');
      return made?.keyType === 'publishable';
    },
  },
  {
    name: 'chart',
    words: 'Give me a flow chart of the live Clinic line as Mermaid text that I can paste into a document.',
    calls: [
      ['list_conversations', {}],
      ['draw_design', { conversationId: '$clinic', version: 1 }],
    ],
    answer: 'flowchart LR; hello --> menu; menu --> hours; menu --> billing; hours --> bye; billing --> bye',
    wrong: { answer: 'I cannot draw.' },
    check: ({ answer }) => /(?:flowchart|graph) /.test(answer) && says(answer, ['menu', 'billing']),
  },
];
