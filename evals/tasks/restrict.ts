import type { Made, Task } from '../task.ts';

export const restrict: readonly Task[] = [
  {
    name: 'revoke-key',
    words: 'The key of our homepage has leaked. Make it useless.',
    touches: ['keys'],
    calls: [
      ['list_keys', {}],
      ['revoke_key', { keyId: '$homepageKey' }],
    ],
    wrong: { calls: [['mint_key', { keyType: 'publishable', name: 'Homepage' }]] },
    async check({ ids, get }) {
      const { keys } = await get(`/v1/projects/${ids['project']}/keys`);
      return keys.find(({ id }: Made) => id === ids['homepageKey']).status === 'revoked';
    },
  },
  {
    name: 'stop-chat',
    words: 'Stop new sessions of the Homepage chat, but keep its settings.',
    touches: ['webAgents'],
    calls: [
      ['list_web_agents', {}],
      ['update_web_agent', { webAgentId: '$chat', status: 'disabled' }],
    ],
    wrong: { calls: [['delete_web_agent', { webAgentId: '$chat' }]] },
    check: async ({ ids, get }) =>
      (await get(`/v1/web-sessions/agents/${ids['chat']}`))?.status === 'disabled',
  },
  {
    name: 'chat-only-voice',
    words: 'Visitors of the Homepage chat should only speak, no longer write.',
    touches: ['webAgents'],
    calls: [
      ['list_web_agents', {}],
      ['update_web_agent', { webAgentId: '$chat', scopes: ['voice'] }],
    ],
    wrong: { calls: [['update_web_agent', { webAgentId: '$chat', scopes: ['voice', 'chat'] }]] },
    check: async ({ ids, get }) =>
      (await get(`/v1/web-sessions/agents/${ids['chat']}`)).scopes.join() === 'voice',
  },
  {
    name: 'delete-secret',
    words: 'We no longer use the CRM token. Delete that secret.',
    touches: ['secrets'],
    calls: [['delete_secret', { name: 'CRM_TOKEN' }]],
    wrong: { calls: [['set_secret', { name: 'CRM_TOKEN', value: 'none' }]] },
    check: async ({ ids, get }) =>
      !JSON.stringify(await get(`/v1/projects/${ids['project']}/secrets`)).includes('CRM_TOKEN'),
  },
  {
    name: 'pause',
    words: 'Pause the whole project until I say otherwise.',
    touches: ['project'],
    calls: [['update_project', { status: 'paused' }]],
    wrong: { calls: [['update_project', { status: 'archived' }]] },
    check: async ({ ids, get }) => (await get(`/v1/projects/${ids['project']}`)).status === 'paused',
  },
  {
    name: 'delete-unused-flow',
    words: 'Delete the Summer campaign.',
    touches: ['flows'],
    calls: [
      ['list_flows', {}],
      ['delete_flow', { flowId: '$summer' }],
    ],
    wrong: { calls: [['delete_flow', { flowId: '$night' }]] },
    check: async ({ ids, get }) => (await get(`/v1/flows/${ids['summer']}`)) === undefined,
  },
  {
    name: 'delete-integration',
    words: 'Disconnect our CRM.',
    touches: ['integrations'],
    calls: [
      ['list_integrations', {}],
      ['delete_integration', { integrationId: '$crm' }],
    ],
    wrong: { calls: [['delete_secret', { name: 'CRM_TOKEN' }]] },
    check: async ({ ids, get }) =>
      !JSON.stringify(await get(`/v1/projects/${ids['project']}/integrations`)).includes('Sales CRM'),
  },
  {
    name: 'delete-source',
    words: 'The price list is out of date. Remove it from the practice facts.',
    touches: ['knowledge'],
    calls: [
      ['list_knowledge_bases', {}],
      ['list_knowledge_sources', { knowledgeBaseId: '$facts' }],
      ['delete_knowledge_source', { knowledgeBaseId: '$facts', sourceId: '$prices' }],
    ],
    wrong: { calls: [['delete_knowledge_base', { knowledgeBaseId: '$brochures' }]] },
    check: async ({ ids, get }) =>
      !JSON.stringify(await get(`/v1/knowledge/${ids['facts']}/sources`)).includes('Price list'),
  },
];
