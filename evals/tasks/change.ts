import { frontDesk } from '../practice.ts';
import type { End, Made, Task } from '../task.ts';

const nine = 'We are open from 9 to 5.';
const hours = { conversationId: '$clinic', version: 2, merge: { steps: { hours: { text: nine } } } };
const goodDay = 'Good day, I am the AI assistant of Brook Street Dental.';
const anna = {
  agentProfileId: '$anna',
  name: 'Anna',
  isDefault: true,
  supportedInputLanguages: ['en'],
  reasoningMode: 'balanced',
};
const prices = [
  {
    op: 'add',
    path: '/steps/prices',
    value: { kind: 'message', text: 'A check-up is 80 dollars.', on: { next: 'bye' } },
  },
  {
    op: 'add',
    path: '/steps/menu/options/-',
    value: { id: 'prices', title: 'Prices', description: 'Asks what something costs.', target: 'prices' },
  },
];

const designOf = ({ ids, get }: End, version: number): Promise<Made> =>
  get(`/v1/conversations/${ids['clinic']}/versions/${version}/design`);

const lineOf = async (end: End, version: number, step: string): Promise<unknown> =>
  (await designOf(end, version))?.steps[step]?.text;

/** The number of the version of the Clinic line that callers hear. */
const liveOf = async ({ ids, get }: End): Promise<number> =>
  (await get(`/v1/conversations/${ids['clinic']}`)).activeVersion;

export const change: readonly Task[] = [
  {
    name: 'hours-draft',
    words:
      'Prepare a new version of the Clinic line that says "We are open from 9 to 5." to people who ask for our hours. Callers must not hear it yet.',
    touches: ['conversations'],
    calls: [
      ['list_conversations', {}],
      ['read_design', { conversationId: '$clinic', version: 2 }],
      ['edit_design', hours],
    ],
    wrong: {
      calls: [
        ['edit_design', hours],
        ['activate_conversation_version', { conversationId: '$clinic', version: 3 }],
      ],
    },
    check: async (end) => (await lineOf(end, 3, 'hours')) === nine && (await liveOf(end)) === 1,
  },
  {
    name: 'hours-live',
    words: 'From now on the Clinic line should say "We are open from 9 to 5." about our hours.',
    touches: ['conversations'],
    calls: [
      ['list_conversations', {}],
      ['read_design', { conversationId: '$clinic', version: 2 }],
      ['edit_design', hours],
      ['activate_conversation_version', { conversationId: '$clinic', version: 3 }],
    ],
    wrong: { calls: [['edit_design', hours]] },
    check: async (end) => (await lineOf(end, await liveOf(end), 'hours')) === nine,
  },
  {
    name: 'flow-greeting',
    words:
      'Callers of the Front desk should be greeted with "Good day, I am the AI assistant of Brook Street Dental." Keep the rest.',
    touches: ['flows'],
    calls: [
      ['list_flows', {}],
      ['list_flow_versions', { flowId: '$front', limit: 1 }],
      [
        'create_flow_version',
        { flowId: '$front', flowSchema: { ...frontDesk, closing: 'Bye.', greeting: goodDay } },
      ],
      ['activate_flow_version', { versionId: '$3.id' }],
    ],
    wrong: {
      calls: [
        ['create_flow_version', { flowId: '$front', flowSchema: { greeting: goodDay } }],
        ['activate_flow_version', { versionId: '$1.id' }],
      ],
    },
    async check({ ids, get }) {
      const { versions } = await get(`/v1/flows/${ids['front']}/versions`);
      const live = versions.find(({ isActive }: Made) => isActive);
      const { greeting, faq, handoff, closing } = live.flowSchema;
      return (
        greeting === goodDay && faq?.length === 1 && handoff?.number === '+12025550190' && closing === 'Bye.'
      );
    },
  },
  {
    name: 'flow-name',
    words: 'Rename the Night line to Evening line.',
    touches: ['flows'],
    calls: [
      ['list_flows', {}],
      ['update_flow', { flowId: '$night', name: 'Evening line' }],
    ],
    wrong: { calls: [['update_flow', { flowId: '$summer', name: 'Evening line' }]] },
    check: async ({ ids, get }) => (await get(`/v1/flows/${ids['night']}`)).name === 'Evening line',
  },
  {
    name: 'number-answered-by-flow',
    words: 'The Night line should answer the Main line from now on.',
    touches: ['phoneNumbers'],
    calls: [
      ['list_flows', {}],
      ['list_phone_numbers', {}],
      ['assign_flow', { phoneNumberId: '$main', flowId: '$night' }],
    ],
    wrong: { calls: [['assign_flow', { phoneNumberId: '$mobile', flowId: '$night' }]] },
    check: async ({ ids, get }) => (await get(`/v1/phone-numbers/${ids['main']}`)).flowId === ids['night'],
  },
  {
    name: 'number-answered-by-conversation',
    words: 'Put the Clinic line on the spare number. Leave the number switched off for now.',
    touches: ['phoneNumbers'],
    calls: [
      ['list_conversations', {}],
      ['list_phone_numbers', {}],
      ['assign_conversation', { phoneNumberId: '$spare', conversationId: '$clinic' }],
    ],
    wrong: { calls: [['assign_conversation', { phoneNumberId: '$spare', conversationId: '$recall' }]] },
    async check({ ids, get }) {
      const { handler, status } = await get(`/v1/phone-numbers/${ids['spare']}`);
      return handler?.id === ids['clinic'] && status === 'disabled';
    },
  },
  {
    name: 'number-unassigned',
    words: 'Nothing should answer our Mobile number any more, but keep the number.',
    touches: ['phoneNumbers'],
    calls: [
      ['list_phone_numbers', {}],
      ['assign_conversation', { phoneNumberId: '$mobile', conversationId: null }],
    ],
    wrong: { calls: [['delete_phone_number', { phoneNumberId: '$mobile' }]] },
    async check({ ids, get }) {
      const number = await get(`/v1/phone-numbers/${ids['mobile']}`);
      return number !== undefined && (number.handler === null || number.status === 'disabled');
    },
  },
  {
    name: 'number-name',
    words: 'Call the Spare line "Fax" instead.',
    touches: ['phoneNumbers'],
    calls: [
      ['list_phone_numbers', {}],
      ['update_phone_number', { phoneNumberId: '$spare', name: 'Fax' }],
    ],
    wrong: { calls: [['update_phone_number', { phoneNumberId: '$spare', name: 'Fax', status: 'enabled' }]] },
    async check({ ids, get }) {
      const { name, status } = await get(`/v1/phone-numbers/${ids['spare']}`);
      return name === 'Fax' && status === 'disabled';
    },
  },
  {
    name: 'voice',
    words: 'Give Anna the voice nova. Nothing else about her changes.',
    touches: ['agentProfiles'],
    calls: [
      ['list_agent_profiles', {}],
      ['replace_agent_profile', { ...anna, flowIds: ['$front'], outputVoiceId: 'nova' }],
    ],
    wrong: { calls: [['replace_agent_profile', { ...anna, flowIds: [], outputVoiceId: 'nova' }]] },
    async check({ ids, get }) {
      const profile = await get(`/v1/agent-profiles/${ids['anna']}`);
      return profile.outputVoiceId === 'nova' && profile.isDefault && profile.flowIds.includes(ids['front']);
    },
  },
  {
    name: 'new-option',
    words:
      'Callers of the Clinic line who ask about prices should hear "A check-up is 80 dollars." Add that to the live version and put it live; hours and bills stay as they are.',
    touches: ['conversations'],
    calls: [
      ['list_conversations', {}],
      ['read_design', { conversationId: '$clinic', version: 1 }],
      ['edit_design', { conversationId: '$clinic', version: 1, onConflict: 'branch', patch: prices }],
      ['activate_conversation_version', { conversationId: '$clinic', version: 3 }],
    ],
    wrong: {
      calls: [
        ['edit_design', { conversationId: '$clinic', version: 2, patch: prices }],
        ['activate_conversation_version', { conversationId: '$clinic', version: 3 }],
      ],
    },
    async check(end) {
      const design = await designOf(end, await liveOf(end));
      const text = JSON.stringify(design);
      return (
        text.includes('A check-up is 80 dollars.') &&
        text.includes('from 8 to 6') &&
        design.steps.menu.options.length === 3
      );
    },
  },
  {
    name: 'conversation-name',
    words: 'Rename the Recall reminders to Check-up reminders.',
    touches: ['conversations'],
    calls: [
      ['list_conversations', {}],
      ['update_conversation', { conversationId: '$recall', name: 'Check-up reminders' }],
    ],
    wrong: { calls: [['create_conversation', { name: 'Check-up reminders', kind: 'simple' }]] },
    check: async ({ ids, get }) =>
      (await get(`/v1/conversations/${ids['recall']}`)).name === 'Check-up reminders',
  },
  {
    name: 'speaker-of-conversation',
    words: 'Ben should speak in the Clinic line.',
    touches: ['conversations'],
    calls: [
      ['list_agent_profiles', {}],
      ['list_conversations', {}],
      ['update_conversation', { conversationId: '$clinic', agentId: '$ben' }],
    ],
    wrong: { calls: [['update_conversation', { conversationId: '$clinic', agentId: '$anna' }]] },
    check: async ({ ids, get }) => (await get(`/v1/conversations/${ids['clinic']}`)).agentId === ids['ben'],
  },
  {
    name: 'industry',
    words: 'Note in our project that we are in dentistry.',
    touches: ['project'],
    calls: [
      ['list_projects', {}],
      ['update_project', { industry: 'Dentistry' }],
    ],
    wrong: { calls: [['update_project', { name: 'Dentistry' }]] },
    async check({ ids, get }) {
      const { industry, description, name } = await get(`/v1/projects/${ids['project']}`);
      return /dentist/i.test(`${industry} ${description}`) && name === 'Brook Street Dental';
    },
  },
];
