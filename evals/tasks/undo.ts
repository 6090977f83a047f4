import type { Made, Task } from '../task.ts';

export const undo: readonly Task[] = [
  {
    name: 'flow-rollback',
    words: 'The latest version of the Front desk is bad. Callers should get the one before it.',
    touches: ['flows'],
    calls: [
      ['list_flows', {}],
      ['list_flow_versions', { flowId: '$front' }],
      ['activate_flow_version', { versionId: '$2.versions.1.id' }],
    ],
    wrong: { calls: [['activate_flow_version', { versionId: '$frontV2' }]] },
    async check({ ids, get }) {
      const { versions } = await get(`/v1/flows/${ids['front']}/versions`);
      return versions.find(({ isActive }: Made) => isActive).version === 1;
    },
  },
  {
    name: 'conversation-rollback',
    words:
      'Somebody put the longer hours of the Clinic line live too early. Callers should hear what they heard before.',
    setUp: [['activate_conversation_version', { conversationId: '$clinic', version: 2 }]],
    touches: ['conversations'],
    calls: [
      ['list_conversations', {}],
      ['list_conversation_versions', { conversationId: '$clinic' }],
      ['activate_conversation_version', { conversationId: '$clinic', version: 1 }],
    ],
    wrong: { calls: [['activate_conversation_version', { conversationId: '$clinic', version: 2 }]] },
    async check({ ids, get }) {
      const { activeVersion } = await get(`/v1/conversations/${ids['clinic']}`);
      const design = await get(`/v1/conversations/${ids['clinic']}/versions/${activeVersion}/design`);
      return design.steps.hours.text === 'We are open from 8 to 6.';
    },
  },
  {
    name: 'deleted-flow',
    words: 'I deleted the Summer campaign by mistake. Bring it back.',
    setUp: [['delete_flow', { flowId: '$summer' }]],
    touches: ['flows'],
    calls: [
      ['list_trash', {}],
      ['restore_deleted', { trashId: '$1.trash.0.id' }],
    ],
    wrong: { calls: [['create_flow', { name: 'Summer campaign', flowSchema: {} }]] },
    check: async ({ ids, get }) => (await get(`/v1/flows/${ids['summer']}`)) !== undefined,
  },
  {
    name: 'deleted-knowledge-base',
    words: 'The old brochures are gone, but we still need them. Get that knowledge base back.',
    setUp: [['delete_knowledge_base', { knowledgeBaseId: '$brochures' }]],
    touches: ['knowledge'],
    calls: [
      ['list_trash', {}],
      ['restore_deleted', { trashId: '$1.trash.0.id' }],
    ],
    wrong: { calls: [['create_knowledge_base', { name: 'Old brochures' }]] },
    check: async ({ ids, get }) => (await get(`/v1/knowledge/${ids['brochures']}`)) !== undefined,
  },
  {
    name: 'deleted-number',
    words: 'Undo the deletion of the spare phone number. Leave the flow that was deleted where it is.',
    setUp: [
      ['delete_phone_number', { phoneNumberId: '$spare' }],
      ['delete_flow', { flowId: '$summer' }],
    ],
    touches: ['phoneNumbers'],
    calls: [
      ['list_trash', {}],
      ['restore_deleted', { trashId: '$1.trash.1.id' }],
    ],
    wrong: {
      calls: [
        ['list_trash', {}],
        ['restore_deleted', { trashId: '$1.trash.0.id' }],
      ],
    },
    check: async ({ ids, get }) => (await get(`/v1/phone-numbers/${ids['spare']}`)) !== undefined,
  },
  {
    name: 'disabled-number',
    words: 'Somebody switched the Main line off. Switch it on again.',
    setUp: [['update_phone_number', { phoneNumberId: '$main', status: 'disabled' }]],
    touches: ['phoneNumbers'],
    calls: [
      ['list_phone_numbers', {}],
      ['update_phone_number', { phoneNumberId: '$main', status: 'enabled' }],
    ],
    wrong: { calls: [['update_phone_number', { phoneNumberId: '$spare', status: 'enabled' }]] },
    check: async ({ ids, get }) => (await get(`/v1/phone-numbers/${ids['main']}`)).status === 'enabled',
  },
  {
    name: 'extra-website',
    words: 'The Homepage chat runs on https://evil.example. Take that website off again, and only that one.',
    setUp: [['update_web_agent', { webAgentId: '$chat', addOrigins: ['https://evil.example'] }]],
    touches: ['webAgents'],
    calls: [
      ['list_web_agents', {}],
      ['update_web_agent', { webAgentId: '$chat', removeOrigins: ['https://evil.example'] }],
    ],
    wrong: { calls: [['update_web_agent', { webAgentId: '$chat', allowedOrigins: [] }]] },
    async check({ ids, get }) {
      const { allowedOrigins } = await get(`/v1/web-sessions/agents/${ids['chat']}`);
      return allowedOrigins.join() === 'https://www.brook.example';
    },
  },
];
