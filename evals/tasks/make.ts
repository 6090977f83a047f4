import { oneLine } from '../practice.ts';
import { type Made, named, type Task } from '../task.ts';

const holiday = 'Hello, I am the AI assistant of Brook Street Dental. We are on holiday.';
const emergency = 'Hello, I am the AI assistant of Brook Street Dental. In an emergency call 911.';
const trunk = { provider: 'twilio', terminationUri: 'sip.brook.example', transport: 'tls' };

export const make: readonly Task[] = [
  {
    name: 'flow',
    words:
      'Make a flow called Holiday line that greets with "Hello, I am the AI assistant of Brook Street Dental. We are on holiday."',
    touches: ['flows'],
    calls: [['create_flow', { name: 'Holiday line', flowSchema: { greeting: holiday } }]],
    wrong: { calls: [['create_flow', { name: 'Holiday line', flowSchema: {} }]] },
    async check({ ids, get }) {
      const made = await named(get, `/v1/projects/${ids['project']}/flows`, 'flows', 'Holiday line');
      const versions = made && (await get(`/v1/flows/${made.id}/versions`));
      return JSON.stringify(versions ?? '').includes('We are on holiday.');
    },
  },
  {
    name: 'conversation',
    words:
      'Make a conversation called Emergency line. It says "Hello, I am the AI assistant of Brook Street Dental. In an emergency call 911." and hangs up.',
    touches: ['conversations'],
    calls: [['create_conversation', { name: 'Emergency line', design: oneLine(emergency) }]],
    wrong: { calls: [['create_conversation', { name: 'Emergency line', kind: 'simple' }]] },
    async check({ ids, get }) {
      const made = await named(
        get,
        `/v1/projects/${ids['project']}/conversations`,
        'conversations',
        'Emergency line',
      );
      const design = made && (await get(`/v1/conversations/${made.id}/versions/1/design`));
      return JSON.stringify(design ?? '').includes('In an emergency call 911.');
    },
  },
  {
    name: 'number',
    words: 'Our partner gave us +12025550104 for the branch office. Add it; the Front desk answers it.',
    touches: ['phoneNumbers'],
    calls: [
      ['list_flows', {}],
      [
        'import_phone_number',
        { name: 'Branch office', number: '+12025550104', type: 'partner', flowId: '$front' },
      ],
    ],
    wrong: { calls: [['import_phone_number', { name: 'Branch', number: '+12025550104', type: 'partner' }]] },
    async check({ ids, get }) {
      const { phoneNumbers } = await get(`/v1/projects/${ids['project']}/phone-numbers`);
      return phoneNumbers.some(
        ({ number, flowId }: Made) => number === '+12025550104' && flowId === ids['front'],
      );
    },
  },
  {
    name: 'trunk',
    words: 'Add +12025550105, which comes over our own Twilio trunk at sip.brook.example with TLS.',
    touches: ['phoneNumbers'],
    calls: [
      [
        'import_phone_number',
        { name: 'Trunk', number: '+12025550105', type: 'external', externalPhoneFields: trunk },
      ],
    ],
    wrong: {
      calls: [
        [
          'import_phone_number',
          {
            name: 'Trunk',
            number: '+12025550105',
            type: 'external',
            externalPhoneFields: { ...trunk, transport: 'udp' },
          },
        ],
      ],
    },
    async check({ ids, get }) {
      const { phoneNumbers } = await get(`/v1/projects/${ids['project']}/phone-numbers`);
      return phoneNumbers.some(
        ({ number, externalPhoneFields: fields }: Made) =>
          number === '+12025550105' &&
          fields?.provider === 'twilio' &&
          fields.terminationUri.includes('sip.brook.example') &&
          fields.transport === 'tls',
      );
    },
  },
  {
    name: 'profile',
    words: 'We need another speaker called Clara, with the voice nova, for English and German callers.',
    touches: ['agentProfiles'],
    calls: [
      [
        'create_agent_profile',
        { name: 'Clara', outputVoiceId: 'nova', supportedInputLanguages: ['en', 'de'] },
      ],
    ],
    wrong: { calls: [['create_agent_profile', { name: 'Clara', supportedInputLanguages: ['en', 'de'] }]] },
    async check({ ids, get }) {
      const made = await named(
        get,
        `/v1/projects/${ids['project']}/agent-profiles`,
        'agentProfiles',
        'Clara',
      );
      const languages = JSON.stringify(made?.supportedInputLanguages);
      return made?.outputVoiceId === 'nova' && languages.includes('"en') && languages.includes('"de');
    },
  },
  {
    name: 'knowledge-base',
    words: 'Start an empty knowledge base called Treatment guide.',
    touches: ['knowledge'],
    calls: [['create_knowledge_base', { name: 'Treatment guide' }]],
    wrong: { calls: [['create_knowledge_base', { name: 'Treatments' }]] },
    check: async ({ ids, get }) =>
      (await named(
        get,
        `/v1/projects/${ids['project']}/knowledge-bases`,
        'knowledgeBases',
        'Treatment guide',
      )) !== undefined,
  },
  {
    name: 'website-source',
    words:
      'Let the practice facts include our website https://www.brook.example, at most 20 pages. Do not read it before I say so.',
    touches: ['knowledge'],
    calls: [
      ['list_knowledge_bases', {}],
      [
        'add_knowledge_source',
        {
          knowledgeBaseId: '$facts',
          type: 'website',
          name: 'Website',
          url: 'https://www.brook.example',
          maxPages: 20,
          indexing: 'deferred',
        },
      ],
    ],
    wrong: {
      calls: [
        [
          'add_knowledge_source',
          {
            knowledgeBaseId: '$brochures',
            type: 'website',
            name: 'Website',
            url: 'https://www.brook.example',
            maxPages: 20,
            indexing: 'deferred',
          },
        ],
      ],
    },
    async check({ ids, get }) {
      const sources = JSON.stringify(await get(`/v1/knowledge/${ids['facts']}/sources`));
      return sources.includes('https://www.brook.example') && !sources.includes('inProgress');
    },
  },
  {
    name: 'secret',
    words: 'Store the secret WEBHOOK_KEY with the value brook-1234.',
    touches: ['secrets'],
    calls: [['set_secret', { name: 'WEBHOOK_KEY', value: 'brook-1234' }]],
    wrong: { calls: [['set_secret', { name: 'CRM_TOKEN', value: 'brook-1234' }]] },
    check: async ({ ids, get }) =>
      JSON.stringify(await get(`/v1/projects/${ids['project']}/secrets`)).includes('"WEBHOOK_KEY"'),
  },
  {
    name: 'integration',
    words: 'Connect our Google calendar under the name Appointments; the access token is trial-token.',
    touches: ['integrations'],
    calls: [
      [
        'create_integration',
        {
          kind: 'calendar',
          provider: 'google',
          name: 'Appointments',
          credentials: { accessToken: 'trial-token' },
        },
      ],
    ],
    wrong: {
      calls: [
        [
          'create_integration',
          { kind: 'crm', provider: 'google', name: 'Appointments', credentials: { accessToken: 'x' } },
        ],
      ],
    },
    async check({ ids, get }) {
      const made = await named(
        get,
        `/v1/projects/${ids['project']}/integrations`,
        'integrations',
        'Appointments',
      );
      return made?.kind === 'calendar' && /google/i.test(String(made.provider));
    },
  },
];
