import { isDeepStrictEqual } from 'node:util';
import { about, claims, givesTime, mentions, saysTogether } from '../answer.ts';
import { frontDesk } from '../practice.ts';
import {
  conversationIs,
  designOf,
  endsIn,
  flowIs,
  isActiveKey,
  isSet,
  isTrash,
  keyIn,
  listOf,
  newKey,
  routeOf,
  sourcesOf,
  versionsOf,
} from '../records.ts';
import { type End, type Made, named, type Solution } from '../task.ts';

const greeting = 'Hello, I am the AI assistant of Brook Street Dental.';
const closedUntilMonday = `${greeting} We are closed, and open again on Monday at 8.`;
const parking = 'Parking is free behind the house. The entrance is on Mill Lane, next to the bakery.';
const [oldEmergency, newEmergency] = ['+12025550190', '+12025550191'];
const newHandoff = { handoff: { number: newEmergency } };

const kids = {
  businessName: 'Brook Street Kids',
  assistantName: 'Milo',
  businessFacts: 'Brook Street Kids is open Monday to Thursday, 9 to 16, at 5 Brook Street.',
  transferNumber: '+12025550160',
  notifyNumber: '+12025550161',
};

const anna = {
  agentProfileId: '$anna',
  name: 'Anna',
  isDefault: true,
  flowIds: ['$front'],
  supportedInputLanguages: ['en', 'es', 'pt-BR'],
  reasoningMode: 'balanced',
  outputVoiceId: 'alloy',
};

const kidsChat = {
  name: 'Kids chat',
  conversationId: '$clinic',
  scopes: ['chat'],
  allowedOrigins: ['https://kids.brook.example'],
};

/** Blind tasks that change something: make, change, undo, share and restrict. */
export const changes: Readonly<Record<string, Solution>> = {
  "Receptionist for the children's practice": {
    calls: [
      ['list_templates', {}],
      ['create_conversation', { name: 'Kids reception', templateKey: 'receptionist', templateFields: kids }],
    ],
    answer: 'Kids reception is ready. It is not on any number or website yet.',
    wrong: {
      calls: [
        [
          'create_conversation',
          {
            name: 'Kids reception',
            templateKey: 'receptionist',
            templateFields: { ...kids, notifyNumber: kids.transferNumber },
          },
        ],
      ],
    },
    async check(end) {
      const conversations: Made[] = await listOf(end, 'conversations');
      const made = conversations.find(({ name }) => name === 'Kids reception');
      if (conversations.length !== 3 || made?.kind !== 'advanced' || made.activeVersion === null)
        return false;
      const design = await designOf(end, made.id, made.activeVersion);
      const text = JSON.stringify(design);
      const facts = ['Brook Street Kids', 'Milo', '5 Brook Street', '+12025550160', '+12025550161'];
      return (
        facts.every((fact) => text.includes(fact)) &&
        Object.values<Made>(design.steps).some(({ kind }) => kind === 'transfer') &&
        (await conversationIs(end, 'clinic', 1, 2)) &&
        (await conversationIs(end, 'recall', 1, 1)) &&
        saysTogether(
          end.answer,
          /\bno\b|\bnot\b|n't\b|none|nothing|neither|without|unconnected|unassigned|offline/,
          /number|phone|line|website|\bweb\b|connect|\blive\b/,
        )
      );
    },
  },
  "Chat for the children's website": {
    calls: [
      ['list_web_agents', {}],
      ['create_web_agent', kidsChat],
      ['mint_key', { keyType: 'publishable', name: 'Kids site' }],
    ],
    answer: 'Kids chat runs on https://kids.brook.example only. Its key "Kids site" is {3.key}.',
    wrong: {
      calls: [
        ['update_web_agent', { webAgentId: '$chat', addOrigins: ['https://kids.brook.example'] }],
        ['mint_key', { keyType: 'publishable', name: 'Kids site' }],
      ],
      answer: 'The chat runs on https://kids.brook.example, too. The key is {2.key}.',
    },
    async check(end) {
      const agents: Made[] = await listOf(end, 'web-sessions/agents');
      const made = agents.find(({ name }) => name === 'Kids chat');
      const chat = agents.find(({ id }) => id === end.ids['chat']);
      if (agents.length !== 2 || made?.conversationId !== end.ids['clinic'] || made.status !== 'active')
        return false;
      const key = keyIn(end.answer);
      const session = await end.send('POST', '/v1/web-sessions', {
        key,
        body: { webAgentId: made.id },
        headers: { origin: 'https://kids.brook.example' },
      });
      return (
        isOffered(made, ['https://kids.brook.example']) &&
        isOffered(chat, ['https://www.brook.example']) &&
        (await newKey(end, 'Kids site'))?.keyType === 'publishable' &&
        (await isActiveKey(end, 'Homepage')) &&
        session.status === 201
      );
    },
  },
  'Parking directions': {
    calls: [
      ['list_knowledge_bases', {}],
      ['add_knowledge_source', parkingIn('triggered')],
    ],
    answer: 'Parking is in Practice facts now.',
    wrong: { calls: [['add_knowledge_source', parkingIn('deferred')]] },
    async check(end) {
      const { ids, send, indexed } = end;
      const made = (await sourcesOf(end, 'facts')).find(({ name }) => name === 'Parking');
      if (made?.type !== 'file' || made.indexing === 'deferred') return false;
      await indexed(ids['facts'] ?? '');
      const { body } = await send('POST', `/v1/knowledge/${ids['facts']}/query`, {
        body: { query: 'Where can I park?' },
      });
      const [prices, ...others] = (await sourcesOf(end, 'facts')).filter(({ name }) => name !== 'Parking');
      return (
        body.results.some(
          ({ sourceId, text }: Made) =>
            sourceId === made.id && ['Mill Lane', 'bakery', 'free'].every((word) => text.includes(word)),
        ) &&
        others.length === 0 &&
        isPriceList(end, prices) &&
        (await listOf(end, 'knowledge-bases')).length === 2 &&
        (await sourcesOf(end, 'brochures')).length === 0
      );
    },
  },
  'Closing early on Friday': {
    calls: [
      ['list_phone_numbers', {}],
      ['edit_flow', { flowId: '$night', version: 'active', merge: { greeting: closedUntilMonday } }],
      ['activate_flow_version', { versionId: '$2.id' }],
      ['assign_flow', { phoneNumberId: '$main', flowId: '$night' }],
    ],
    answer: 'Night line answers Main line now. Before, Front desk did.',
    wrong: {
      calls: [
        ['edit_flow', { flowId: '$night', version: 'active', merge: { greeting: closedUntilMonday } }],
        ['assign_flow', { phoneNumberId: '$main', flowId: '$night' }],
      ],
    },
    async check(end) {
      const { ids, get, answer } = end;
      const numbers: Made[] = await listOf(end, 'phone-numbers');
      const [main, mobile, spare] = ['main', 'mobile', 'spare'].map((name) =>
        numbers.find(({ id }) => id === ids[name]),
      );
      const night = await versionsOf(end, 'night');
      const live = night.find(({ isActive }) => isActive);
      const words = ['AI assistant', 'Brook Street Dental', 'closed', 'Monday', '8'];
      return (
        main.handler?.id === ids['night'] &&
        main.status === 'enabled' &&
        mobile.handler?.id === ids['clinic'] &&
        mobile.status === 'enabled' &&
        spare.handler === null &&
        spare.status === 'disabled' &&
        numbers.length === 3 &&
        live?.version !== 1 &&
        words.every((word) => live?.flowSchema.greeting?.includes(word)) &&
        night.some((one) => one.version === 1 && one.flowSchema.greeting === `${greeting} We are closed.`) &&
        (await flowIs(end, 'front', 2, 2)) &&
        (await get(`/v1/flows/${ids['summer']}`)) !== undefined &&
        /before|until|previous|\bwas\b|\bhad\b|back|formerly|earlier|so far/.test(
          about(answer, /front desk/, /night line/),
        )
      );
    },
  },
  'Anna understands more languages': {
    calls: [
      ['list_agent_profiles', {}],
      ['replace_agent_profile', anna],
    ],
    answer: 'Anna understands English, Spanish and Brazilian Portuguese. Ben has no languages set.',
    wrong: { calls: [['replace_agent_profile', { ...anna, flowIds: [] }]] },
    async check(end) {
      const { ids, answer } = end;
      const profiles: Made[] = await listOf(end, 'agent-profiles');
      const { reasoningMode, ...expected } = { ...anna, flowIds: [ids['front']], agentProfileId: undefined };
      const [now, ben] = ['anna', 'ben'].map((name) => profiles.find(({ id }) => id === ids[name]));
      return (
        profiles.length === 2 &&
        isSet(now.supportedInputLanguages, expected.supportedInputLanguages) &&
        isSet(now.flowIds, expected.flowIds) &&
        [now.name, now.isDefault, now.outputVoiceId].join() === 'Anna,true,alloy' &&
        now.reasoningMode === reasoningMode &&
        [ben.name, ben.isDefault, ben.outputVoiceId].join() === 'Ben,false,nova' &&
        ben.supportedInputLanguages.length === 0 &&
        ben.flowIds.length === 0 &&
        /\bno\b|none|\bnot\b|n't\b|nothing|empty|without|unset/.test(about(answer, /\bben\b/, /\banna\b/)) &&
        !claims(answer, /\bben\b(?!.*\banna\b)/, /english|spanish|portuguese/)
      );
    },
  },
  'New number for emergencies': {
    calls: [
      ['search_project', { text: '2025550190' }],
      ['edit_flow', { flowId: '$front', version: 'active', merge: newHandoff }],
      ['activate_flow_version', { versionId: '$2.id' }],
      ['edit_flow', { flowId: '$night', version: 'active', merge: newHandoff }],
      ['activate_flow_version', { versionId: '$4.id' }],
      ['list_conversations', {}],
      ['edit_design', afterSurgery('$6.conversations.0.id')],
      ['activate_conversation_version', { conversationId: '$6.conversations.0.id', version: 2 }],
    ],
    answer: 'I changed Front desk, Night line and After surgery. Clinic line stays as it was.',
    wrong: {
      calls: [
        ['edit_flow', { flowId: '$front', version: 'active', merge: newHandoff }],
        ['activate_flow_version', { versionId: '$1.id' }],
        ['edit_flow', { flowId: '$night', version: 'active', merge: newHandoff }],
        ['activate_flow_version', { versionId: '$3.id' }],
      ],
    },
    async check(end) {
      const { ids, get, answer } = end;
      const surgery = await named(get, routeOf(end, 'conversations'), 'conversations', 'After surgery');
      const { activeVersion } = await get(`/v1/conversations/${surgery?.id}`);
      const [before, now] = [
        await designOf(end, surgery.id, 1),
        await designOf(end, surgery.id, activeVersion),
      ];
      return (
        (await hasNewNumber(end, 'front')) &&
        (await hasNewNumber(end, 'night')) &&
        isDeepStrictEqual(now, withNewNumber(before)) &&
        (await flowIs(end, 'summer', 1, 1)) &&
        (await conversationIs(end, 'clinic', 1, 2)) &&
        (await conversationIs(end, 'recall', 1, 1)) &&
        (await listOf(end, 'flows')).length === 3 &&
        (await get(`/v1/conversations/${ids['clinic']}/versions/1/design`)) !== undefined &&
        mentions(answer, /front desk/, /night line/, /after surgery/) &&
        !claims(answer, /clinic line|summer campaign|recall reminders/, /\b(?:changed|switched|updated) /)
      );
    },
  },
  'Clearing out after the summer': {
    calls: [
      ['list_phone_numbers', {}],
      ['delete_knowledge_base', { knowledgeBaseId: '$brochures' }],
      ['delete_integration', { integrationId: '$crm' }],
    ],
    answer: `Old brochures and Sales CRM are gone. Summer campaign stayed, because Spare line still uses it. CRM_TOKEN
stayed, because a deleted secret cannot be brought back.`,
    wrong: {
      calls: [
        ['delete_knowledge_base', { knowledgeBaseId: '$brochures' }],
        ['delete_integration', { integrationId: '$crm' }],
        ['delete_secret', { name: 'CRM_TOKEN' }],
      ],
    },
    async check(end) {
      const { ids, answer } = end;
      const bases: Made[] = await listOf(end, 'knowledge-bases');
      const sources = await sourcesOf(end, 'facts');
      const told = (thing: RegExp) =>
        about(answer, thing, /old brochures|sales crm|summer campaign|crm_token/);
      return (
        bases.map(({ id }) => id).join() === ids['facts'] &&
        sources.length === 1 &&
        isPriceList(end, sources[0]) &&
        (await listOf(end, 'integrations')).length === 0 &&
        (await listOf(end, 'secrets')).some(({ name }) => name === 'CRM_TOKEN') &&
        (await isTrash(end, ['brochures', 'crm'])) &&
        mentions(answer, /old brochures/, /sales crm/, /gone|delet|thrown|threw|trash|removed/) &&
        /spare line|2025550103/.test(told(/summer campaign/)) &&
        /cannot|can't|could ?n[o']t|\bnot\b|never|for good|permanent|irrevers|\bno\b/.test(told(/crm_token/))
      );
    },
  },
  'Bring back the summer campaign': {
    calls: [
      ['list_trash', {}],
      ['restore_deleted', { trashId: '$1.trash.2.id' }],
    ],
    answer: 'Summer campaign is back. Recall reminders and Old brochures are still thrown away.',
    wrong: { calls: [['create_flow', { name: 'Summer campaign', flowSchema: { greeting } }]] },
    async check(end) {
      const flows: Made[] = await listOf(end, 'flows');
      const summer = flows.filter(({ name }) => name === 'Summer campaign');
      if (summer.map(({ id }) => id).join() !== end.ids['summer']) return false;
      const [version, ...more] = await versionsOf(end, 'summer');
      return (
        more.length === 0 &&
        version.isActive &&
        version.flowSchema.greeting === greeting &&
        flows.length === 3 &&
        (await isTrash(end, ['recall', 'brochures'])) &&
        mentions(end.answer, /summer campaign/, /recall reminders/, /old brochures/) &&
        /back|restored|recovered|again/.test(
          about(end.answer, /summer campaign/, /recall reminders|old brochures/),
        )
      );
    },
  },
  'Back to the greeting before': {
    calls: [
      ['list_flow_versions', { flowId: '$front' }],
      ['activate_flow_version', { versionId: '$frontV2' }],
    ],
    answer: 'Callers hear the old greeting again.',
    wrong: {
      calls: [
        ['list_flow_versions', { flowId: '$front' }],
        ['activate_flow_version', { versionId: '$1.versions.1.id' }],
      ],
    },
    async check(end) {
      const versions = await versionsOf(end, 'front');
      const content = (number: number) => versions.find(({ version }) => version === number)?.flowSchema;
      const live = versions.find(({ isActive }) => isActive);
      return (
        isDeepStrictEqual(live?.flowSchema, content(2)) &&
        content(1)?.greeting === greeting &&
        content(1).closing === undefined &&
        isDeepStrictEqual(content(2), { ...frontDesk, closing: 'Bye.' }) &&
        content(3)?.faq[1].question === 'Can I pay by card?' &&
        content(4)?.greeting.startsWith('Hey there') &&
        (await flowIs(end, 'night', 1, 1)) &&
        (await flowIs(end, 'summer', 1, 1)) &&
        mentions(end.answer, /again|\bback\b|restor|previous|\bold\b|before|earlier|original|revert|now/)
      );
    },
  },
  'Dana may look': {
    calls: [['create_restricted_key', { name: 'Dana', access: ['read'], days: 14 }]],
    answer: 'The key of Dana is {1.key}. It works until {1.expiresAt}.',
    wrong: {
      calls: [['create_restricted_key', { name: 'Dana', access: ['read', 'run'], days: 14 }]],
    },
    async check(end) {
      const { ids, send, answer } = end;
      const made = await newKey(end, 'Dana');
      if (made?.keyType !== 'secret') return false;
      const key = keyIn(answer);
      const twoWeeks = new Date(Date.now() + 14 * 86_400_000);
      const read = await send('GET', routeOf(end, 'flows'), { key });
      const rename = await send('PATCH', `/v1/flows/${ids['summer']}`, { key, body: { name: 'Renamed' } });
      return (
        made.access.join() === 'read' &&
        endsIn(made, 14) &&
        read.status === 200 &&
        rename.status === 403 &&
        (await isActiveKey(end, 'Homepage')) &&
        (givesTime(answer, twoWeeks) || mentions(answer, /\b14 days\b|fourteen days|two weeks|2 weeks/))
      );
    },
  },
  'The agency may only prepare': {
    calls: [
      ['list_keys', {}],
      ['create_restricted_key', { name: 'Agency drafts', access: ['read', 'draft'] }],
      ['revoke_key', { keyId: '$1.keys.0.id' }],
    ],
    answer: 'The old key is revoked. The new key "Agency drafts" is {2.key}.',
    wrong: {
      calls: [['create_restricted_key', { name: 'Agency drafts', access: ['read', 'draft'] }]],
      answer: 'The new key "Agency drafts" is {1.key}.',
    },
    async check(end) {
      const { ids, send, answer } = end;
      const made = await newKey(end, 'Agency drafts', 4);
      if (made?.keyType !== 'secret') return false;
      const key = keyIn(answer);
      const read = await send('GET', routeOf(end, 'flows'), { key });
      const stored = await send('POST', `/v1/flows/${ids['night']}/versions`, {
        key,
        body: { flowSchema: { greeting } },
      });
      const activated = await send('POST', `/v1/flow-versions/${stored.body.id}/activate`, { key });
      return (
        isSet(made.access, ['read', 'draft']) &&
        read.status === 200 &&
        stored.status === 201 &&
        activated.status === 403 &&
        !(await isActiveKey(end, 'Agency')) &&
        (await isActiveKey(end, 'Homepage'))
      );
    },
  },
  'Homepage chat on our sites only': {
    calls: [
      ['list_web_agents', {}],
      ['update_web_agent', { webAgentId: '$chat', scopes: ['chat'], allowedOrigins: ourSites() }],
    ],
    answer: 'Homepage chat runs on https://www.brook.example and https://booking.brook.example only.',
    wrong: {
      calls: [['update_web_agent', { webAgentId: '$chat', scopes: ['chat'], addOrigins: ourSites() }]],
    },
    async check(end) {
      const [chat, ...others] = await listOf(end, 'web-sessions/agents');
      return (
        others.length === 0 &&
        chat.id === end.ids['chat'] &&
        chat.name === 'Homepage chat' &&
        chat.status === 'active' &&
        chat.conversationId === end.ids['clinic'] &&
        isOffered(chat, ourSites()) &&
        mentions(end.answer, /www\.brook\.example/, /booking\.brook\.example/)
      );
    },
  },
};

function ourSites(): readonly string[] {
  return ['https://www.brook.example', 'https://booking.brook.example'];
}

function parkingIn(indexing: string) {
  return {
    knowledgeBaseId: '$facts',
    type: 'file',
    name: 'Parking',
    fileName: 'parking.txt',
    mimeType: 'text/plain',
    contentBase64: Buffer.from(parking).toString('base64'),
    indexing,
  };
}

function afterSurgery(conversationId: string) {
  const doctor = { destination: { kind: 'phoneNumber', value: newEmergency } };
  return { conversationId, version: 'active', merge: { steps: { doctor } } };
}

/** A document in which the new number of the emergency dentist replaces the old one. */
function withNewNumber(document: Made): Made {
  return JSON.parse(JSON.stringify(document).replaceAll(oldEmergency, newEmergency));
}

/** True if the active version of a flow is its version 2 with the new number, and versions 1 and 2 are kept. */
async function hasNewNumber(end: End, flow: string): Promise<boolean> {
  const versions = await versionsOf(end, flow);
  const [first, second] = [1, 2].map((number) => versions.find(({ version }) => version === number));
  const live = versions.find(({ isActive }) => isActive);
  return (
    first !== undefined &&
    JSON.stringify(second?.flowSchema).includes(oldEmergency) &&
    isDeepStrictEqual(live?.flowSchema, withNewNumber(second.flowSchema))
  );
}

/** True if a web agent offers a chat and nothing else, on exactly these websites. */
function isOffered(webAgent: Made, origins: readonly string[]): boolean {
  return webAgent?.scopes.join() === 'chat' && isSet(webAgent.allowedOrigins, origins);
}

/** True if a source is the price list as it was: never indexed. */
function isPriceList({ ids }: End, source: Made): boolean {
  return source?.id === ids['prices'] && source.name === 'Price list' && source.indexingStatus === 'idle';
}
