import { isDeepStrictEqual } from 'node:util';
import { mentions } from '../answer.ts';
import { frontDesk } from '../practice.ts';
import { holds } from '../proofs.ts';
import { designOf, endsIn, isSet, keyIn, listOf, sourcesOf, versionsOf } from '../records.ts';
import { becomes, newIn, staysBut } from '../state.ts';
import type { End, Made, Solution } from '../task.ts';

const greeting = 'Hello, I am the AI assistant of Brook Street Dental.';
const holiday = `${greeting} We are on holiday until 6 January.`;
const [oldBilling, newBilling] = ['+12025550142', '+12025550177'];
const halfPrice = `${greeting} Today everything is half price!`;
const bookingSite = 'https://book.brook.example';
const password = 'blue-heron-42';
const reportUrl = 'https://recall.brook.example/done';

const kids = {
  businessName: 'Brook Street Kids',
  assistantName: 'Poppy',
  businessFacts: 'Open Monday to Thursday, 9 to 5. 4 Mill Lane. A first visit is free.',
  transferNumber: '+12025550160',
  notifyNumber: '+12025550161',
};

const newNumberInClinic = {
  conversationId: '$clinic',
  merge: { steps: { billing: { destination: { kind: 'phoneNumber', value: newBilling } } } },
};

const newNumberAtNight = {
  flowId: '$night',
  version: 'active',
  merge: { handoff: { number: newBilling, when: 'The caller asks about a bill.' } },
};

const tom = { name: 'Tom', access: ['read', 'draft'], days: 30 };

/** Blind tasks of the second author that change something: make, change, undo, share and restrict. */
export const changes: Readonly<Record<string, Solution>> = {
  "Reception for the children's practice": {
    calls: [
      ['list_templates', { templateKey: 'receptionist' }],
      ['create_conversation', { name: 'Kids line', templateKey: 'receptionist', templateFields: kids }],
    ],
    answer: 'Kids line is ready. It has no telephone number and no website.',
    wrong: {
      calls: [
        [
          'create_conversation',
          {
            name: 'Kids line',
            templateKey: 'receptionist',
            templateFields: { businessName: kids.businessName, assistantName: kids.assistantName },
            templateSamples: true,
          },
        ],
      ],
    },
    async check(end) {
      const [made, ...others] = newIn(end, 'conversations');
      if (made?.name !== 'Kids line' || others.length > 0 || !made.activeVersion) return false;
      const design = JSON.stringify(await designOf(end, made.id, made.activeVersion));
      const facts = ['Brook Street Kids', 'Poppy', '9 to 5', '4 Mill Lane', 'A first visit is free.'];
      return (
        [...facts, kids.transferNumber, kids.notifyNumber].every((fact) => design.includes(fact)) &&
        (await holds(end, made.id, made.activeVersion)) &&
        staysBut(end, 'conversations')
      );
    },
  },
  'Facts that can be found': {
    calls: [
      ['list_knowledge_sources', { knowledgeBaseId: '$facts' }],
      ['reindex_knowledge_source', { knowledgeBaseId: '$facts', sourceId: '$prices' }],
      ['add_knowledge_source', whitening()],
      ['list_knowledge_sources', { knowledgeBaseId: '$facts' }],
      ['query_knowledge', { knowledgeBaseId: '$facts', query: 'What does a check-up cost?' }],
      ['query_knowledge', { knowledgeBaseId: '$facts', query: 'Where can I park?' }],
    ],
    answer: 'Both texts are read. It finds "{5.results.0.text}" and "{6.results.0.text}"',
    wrong: {
      calls: [['add_knowledge_source', whitening()]],
      answer: 'Both texts are read. A check-up costs 80 dollars, and one can park in Mill Lane.',
    },
    async check(end) {
      const { ids, send, answer } = end;
      const sources = await sourcesOf(end, 'facts');
      const added = sources.find(({ id }) => id !== ids['prices']);
      const finds = async (query: string, passage: string) => {
        const { body } = await send('POST', `/v1/knowledge/${ids['facts']}/query`, { body: { query } });
        return body.results.some(({ text }: Made) => text.includes(passage));
      };
      return (
        sources.length === 2 &&
        sources.some(({ id }) => id === ids['prices']) &&
        added?.type === 'file' &&
        added.name === 'Whitening and parking' &&
        sources.every(({ indexingStatus, error }) => indexingStatus === 'completed' && error === undefined) &&
        (await finds('What does a check-up cost?', 'A check-up is 80 dollars.')) &&
        (await finds('Where can I park?', 'Mill Lane')) &&
        newIn(end, 'knowledge').length === 0 &&
        staysBut(end, 'knowledge', ids['facts']) &&
        mentions(answer, /\b80\b/, /mill lane/)
      );
    },
  },
  'Holiday line on the spare number': {
    calls: [
      ['create_flow', { name: 'Holiday line', flowSchema: { greeting: holiday } }],
      ['assign_flow', { phoneNumberId: '$spare', flowId: '$1.id' }],
      ['update_phone_number', { phoneNumberId: '$spare', status: 'enabled' }],
    ],
    answer: 'Holiday line answers Spare line now.',
    wrong: {
      calls: [
        ['create_flow', { name: 'Holiday line', flowSchema: { greeting: holiday } }],
        ['assign_flow', { phoneNumberId: '$spare', flowId: '$1.id' }],
      ],
    },
    check(end) {
      const { ids, after } = end;
      const [made, ...others] = newIn(end, 'flows');
      if (made?.name !== 'Holiday line' || others.length > 0) return false;
      const spare: Made = after.phoneNumbers.get(ids['spare'] ?? '');
      const { faq = [], handoff = null, closing = null, ...spoken } = activeSchema(made);
      return (
        spoken.greeting === holiday &&
        faq.length === 0 &&
        handoff === null &&
        closing === null &&
        isDeepStrictEqual(spare.handler, { kind: 'flow', id: made.id }) &&
        [spare.status, spare.name, spare.number].join() === 'enabled,Spare line,+12025550103' &&
        staysBut(end, 'flows') &&
        staysBut(end, 'phoneNumbers', ids['spare'])
      );
    },
  },
  'New billing number everywhere': {
    calls: [
      ['search_project', { text: '2025550142' }],
      ['edit_design', { ...newNumberInClinic, version: 'active', onConflict: 'branch' }],
      ['activate_conversation_version', { conversationId: '$clinic', version: 3 }],
      ['edit_flow', newNumberAtNight],
      ['activate_flow_version', { versionId: '$4.id' }],
    ],
    answer: 'Clinic line and Night line put callers through to the new number now.',
    wrong: {
      calls: [
        ['edit_design', { ...newNumberInClinic, version: 'newest' }],
        ['activate_conversation_version', { conversationId: '$clinic', version: 3 }],
        ['edit_flow', newNumberAtNight],
        ['activate_flow_version', { versionId: '$3.id' }],
      ],
    },
    async check(end) {
      const { ids, after } = end;
      const clinicId = ids['clinic'] ?? '';
      const clinic: Made = after.conversations.get(clinicId);
      const before = await designOf(end, clinicId, 1);
      const now = await designOf(end, clinicId, clinic.activeVersion);
      const expected = structuredClone(before);
      expected.steps.billing.destination.value = newBilling;
      const night = activeSchema(after.flows.get(ids['night'] ?? ''));
      const liveDesigns = [...after.conversations.values()].map(({ id, activeVersion }) =>
        designOf(end, id, activeVersion),
      );
      const liveFlows = [...after.flows.values()].map(activeSchema);
      const heard = JSON.stringify([liveFlows, await Promise.all(liveDesigns)]);
      return (
        isDeepStrictEqual(now, expected) &&
        now.steps.hours.text === 'We are open from 8 to 6.' &&
        isDeepStrictEqual(night, {
          greeting: `${greeting} We are closed.`,
          handoff: { number: newBilling, when: 'The caller asks about a bill.' },
        }) &&
        !heard.includes(oldBilling.slice(-4)) &&
        !heard.includes('8 to 8') &&
        staysBut(end, 'flows', ids['night']) &&
        clinic.versions.some(({ n, isActive }: Made) => n === 2 && !isActive) &&
        staysBut(end, 'conversations', clinicId)
      );
    },
  },
  'Anna and Ben swap voices': {
    calls: [
      ['list_agent_profiles', {}],
      ['update_agent_profile', { agentProfileId: '$anna', outputVoiceId: 'nova' }],
      ['update_agent_profile', { agentProfileId: '$ben', outputVoiceId: 'alloy', flowIds: ['$night'] }],
    ],
    answer: 'Anna sounds like nova now, Ben like alloy. Ben speaks on the Night line.',
    wrong: {
      calls: [
        ['replace_agent_profile', { ...bareProfile('Anna', 'nova'), agentProfileId: '$anna' }],
        ['update_agent_profile', { agentProfileId: '$ben', outputVoiceId: 'alloy', flowIds: ['$night'] }],
      ],
    },
    check(end) {
      const { ids, before, after } = end;
      const versionsIn = ({ flows }: End['before']) => [...flows.values()].map(({ versions }) => versions);
      const anna = { name: 'Anna', outputVoiceId: 'nova', isDefault: true, flowIds: [ids['front']] };
      const ben = { name: 'Ben', outputVoiceId: 'alloy', isDefault: false, flowIds: [ids['night']] };
      return (
        after.agentProfiles.size === 2 &&
        becomes(end, 'agentProfiles', ids['anna'], { ...anna, supportedInputLanguages: ['en'] }) &&
        becomes(end, 'agentProfiles', ids['ben'], ben) &&
        isDeepStrictEqual(versionsIn(before), versionsIn(after))
      );
    },
  },
  'Report of a reminder, with a hidden password': {
    calls: [
      ['set_secret', { name: 'RECALL_TOKEN', value: password }],
      ['describe_design', { kind: 'webhook' }],
      [
        'edit_design',
        { conversationId: '$recall', version: 'newest', merge: report('{{secret.RECALL_TOKEN}}') },
      ],
      ['prove_design', { conversationId: '$recall' }],
    ],
    answer: 'Version 2 of Recall reminders reports the call. It is not live yet.',
    wrong: {
      calls: [
        ['set_secret', { name: 'RECALL_TOKEN', value: password }],
        ['edit_design', { conversationId: '$recall', version: 'newest', merge: report(password) }],
      ],
    },
    async check(end) {
      const { ids, after } = end;
      const recallId = ids['recall'] ?? '';
      const recall: Made = after.conversations.get(recallId);
      const newest = Math.max(...recall.versions.map(({ n }: Made) => n));
      if (newest === 1 || recall.activeVersion !== 1) return false;
      const design = await designOf(end, recallId, newest);
      const [request, ...others] = requestsTo(design, reportUrl);
      const versions = [...after.conversations.values()].flatMap(({ id, versions: all }) =>
        all.map(({ n }: Made) => designOf(end, id, n)),
      );
      const readable = JSON.stringify([
        Object.values(after).map((items) => [...items.values()]),
        await Promise.all(versions),
      ]);
      return (
        isSet([...after.secrets.keys()], ['CRM_TOKEN', 'RECALL_TOKEN']) &&
        request !== undefined &&
        others.length === 0 &&
        isDeepStrictEqual(tokenHeaders(request), ['{{secret.RECALL_TOKEN}}']) &&
        design.steps.hello?.introLine === greeting &&
        (await holds(end, recallId, newest, [{ property: 'everyPathEnds' }])) &&
        !readable.includes(password) &&
        staysBut(end, 'conversations', recallId)
      );
    },
  },
  'Back from the bin, but not everything': {
    calls: [
      ['list_trash', {}],
      ['restore_deleted', { trashId: '$1.trash.1.id' }],
      ['restore_deleted', { trashId: '$1.trash.2.id' }],
    ],
    answer: 'Homepage chat and Sales CRM are back. Old brochures are still thrown away.',
    wrong: {
      calls: [
        ['create_web_agent', homepageChat('$clinic')],
        ['create_integration', { kind: 'crm', provider: 'hubspot', name: 'Sales CRM', credentials: {} }],
      ],
    },
    async check(end) {
      const { ids, after } = end;
      const [chat, ...otherChats] = after.webAgents.values();
      const [crm, ...otherIntegrations] = after.integrations.values();
      const trash = await listOf(end, 'trash');
      return (
        otherChats.length === 0 &&
        hasAll(chat, { id: ids['chat'], status: 'active', ...homepageChat(ids['clinic']) }) &&
        otherIntegrations.length === 0 &&
        hasAll(crm, { id: ids['crm'], kind: 'crm', provider: 'hubspot', name: 'Sales CRM' }) &&
        isSet([...after.knowledge.keys()], [ids['facts']]) &&
        trash.some(({ name }) => name === 'Old brochures') &&
        !trash.some(({ resourceId }) => resourceId === ids['chat'] || resourceId === ids['crm'])
      );
    },
  },
  'Take back the half-price greeting': {
    calls: [
      ['list_flow_versions', { flowId: '$front' }],
      ['activate_flow_version', { versionId: '$frontV2' }],
    ],
    answer: 'Main line says what it said before. "See you soon." is still prepared.',
    wrong: {
      calls: [
        ['edit_flow', { flowId: '$front', version: 'newest', merge: { greeting } }],
        ['activate_flow_version', { versionId: '$1.id' }],
      ],
    },
    async check(end) {
      const { ids, before, after } = end;
      const prepared = (state: End['before']) =>
        state.flows
          .get(ids['front'] ?? '')
          .versions.find(({ flowSchema }: Made) => flowSchema.closing === 'See you soon.');
      const now: Made = (await versionsOf(end, 'front')).find(({ id }) => id === prepared(before).id);
      return (
        isDeepStrictEqual(activeSchema(after.flows.get(ids['front'] ?? '')), {
          ...frontDesk,
          closing: 'Bye.',
        }) &&
        isDeepStrictEqual(now, prepared(before)) &&
        now.flowSchema.greeting === halfPrice &&
        !now.isActive &&
        newIn(end, 'flows').length === 0 &&
        staysBut(end, 'flows', ids['front'])
      );
    },
  },
  'Tom may prepare, not publish': {
    calls: [['create_restricted_key', tom]],
    answer: 'Hand this key to Tom: {1.key}. It ends by itself on {1.expiresAt}.',
    wrong: { calls: [['create_restricted_key', { ...tom, access: ['read', 'draft', 'publish'] }]] },
    async check(end) {
      const [made, ...others] = newIn(end, 'keys');
      if (made?.name !== 'Tom' || others.length > 0) return false;
      const { status, body } = await end.send('GET', '/v1/keys/current', { key: keyIn(end.answer) });
      return (
        made.keyType === 'secret' &&
        made.status === 'active' &&
        isSet(made.access, ['read', 'draft']) &&
        endsIn(made, 30, 1) &&
        staysBut(end, 'keys') &&
        status === 200 &&
        body.id === made.id
      );
    },
  },
  'Same chat on the booking site': {
    calls: [
      ['list_web_agents', {}],
      ['update_web_agent', { webAgentId: '$chat', addOrigins: [bookingSite] }],
      ['mint_key', { keyType: 'publishable', name: 'Booking site' }],
    ],
    answer: 'The key of the booking site is {3.key}.',
    wrong: {
      calls: [
        ['update_web_agent', { webAgentId: '$chat', allowedOrigins: [bookingSite] }],
        ['mint_key', { keyType: 'publishable', name: 'Booking site' }],
      ],
      answer: 'The key of the booking site is {2.key}.',
    },
    async check(end) {
      const { ids, after, send, answer } = end;
      const allowedOrigins: string[] = after.webAgents.get(ids['chat'] ?? '')?.allowedOrigins ?? [];
      const [made, ...others] = newIn(end, 'keys');
      if (made?.name !== 'Booking site' || others.length > 0) return false;
      const session = await send('POST', '/v1/web-sessions', {
        key: keyIn(answer),
        body: { webAgentId: ids['chat'] },
        headers: { origin: bookingSite },
      });
      return (
        after.webAgents.size === 1 &&
        isSet(allowedOrigins, ['https://www.brook.example', bookingSite]) &&
        becomes(end, 'webAgents', ids['chat'], { allowedOrigins }) &&
        made.keyType === 'publishable' &&
        made.status === 'active' &&
        staysBut(end, 'keys') &&
        session.status === 201
      );
    },
  },
  'Stolen laptop of the web designer': {
    calls: [
      ['list_keys', {}],
      ['revoke_key', { keyId: '$homepageKey' }],
      ['update_web_agent', { webAgentId: '$chat', status: 'disabled' }],
    ],
    answer: 'The key is revoked, and Homepage chat is switched off.',
    wrong: {
      calls: [
        ['revoke_key', { keyId: '$homepageKey' }],
        ['delete_web_agent', { webAgentId: '$chat' }],
      ],
    },
    check(end) {
      const { ids } = end;
      return (
        becomes(end, 'keys', ids['homepageKey'], { status: 'revoked' }) &&
        newIn(end, 'keys').length === 0 &&
        staysBut(end, 'keys', ids['homepageKey']) &&
        becomes(end, 'webAgents', ids['chat'], { status: 'disabled' }) &&
        newIn(end, 'webAgents').length === 0
      );
    },
  },
  'Only our telephone company may call in': {
    calls: [
      ['list_phone_numbers', {}],
      [
        'update_phone_number',
        { phoneNumberId: '+12025550105', externalPhoneFields: { allowedAddresses: ['203.0.113.0/24'] } },
      ],
    ],
    answer: 'Clinic trunk accepts calls from 203.0.113.0/24 only.',
    wrong: {
      calls: [
        [
          'update_phone_number',
          {
            phoneNumberId: '+12025550105',
            externalPhoneFields: { allowedAddresses: ['203.0.113.0/24'], authPassword: 'made up' },
          },
        ],
      ],
    },
    async check(end) {
      const { before, calls } = end;
      const [id, was] = [...before.phoneNumbers].find(([, { number }]) => number === '+12025550105') ?? [];
      const externalPhoneFields = { ...was?.externalPhoneFields, allowedAddresses: ['203.0.113.0/24'] };
      return (
        becomes(end, 'phoneNumbers', id, { externalPhoneFields }) &&
        !calls.some(
          ({ tool, input }) =>
            tool === 'update_phone_number' && JSON.stringify(input).includes('authPassword'),
        ) &&
        newIn(end, 'phoneNumbers').length === 0 &&
        staysBut(end, 'phoneNumbers', id) &&
        (await listOf(end, 'trash')).length === 0
      );
    },
  },
};

function whitening() {
  return {
    knowledgeBaseId: '$facts',
    type: 'file',
    name: 'Whitening and parking',
    fileName: 'whitening.txt',
    mimeType: 'text/plain',
    content: 'Whitening costs 250 dollars. Parking is free in Mill Lane.',
  };
}

/** A hook of the Recall reminders that reports a call once the greeting has been said. */
function report(token: string) {
  const webhook = { url: reportUrl, headers: { 'X-Recall-Token': token }, payload: [] };
  const nodes = { report: { id: 'report', webhook, next: { end: true } } };
  return { hooks: { after: { entryPoints: { bye: 'report' }, nodes } } };
}

/** A profile of whom only the name and the voice are known. */
function bareProfile(name: string, outputVoiceId: string) {
  return {
    name,
    outputVoiceId,
    isDefault: false,
    flowIds: [],
    supportedInputLanguages: [],
    reasoningMode: 'balanced',
  };
}

function homepageChat(conversationId: string | undefined) {
  return {
    name: 'Homepage chat',
    conversationId,
    scopes: ['chat'],
    allowedOrigins: ['https://www.brook.example'],
  };
}

/** True if a record has these members. */
function hasAll(record: Made, members: Readonly<Record<string, unknown>>): boolean {
  return isDeepStrictEqual({ ...record, ...members }, record);
}

/** The configuration of the active version of a flow; undefined if none is active. */
function activeSchema(flow: Made): Made {
  return flow.versions.find(({ isActive }: Made) => isActive)?.flowSchema;
}

/** The webhooks and fetches of a design that go to an address, as steps or in hooks. */
function requestsTo(part: Made, url: string): Made[] {
  if (typeof part !== 'object' || part === null) return [];
  const within = Object.values<Made>(part).flatMap((member) => requestsTo(member, url));
  return part.url === url ? [part, ...within] : within;
}

/** The values of the header that carries the password, in any case of letters. */
function tokenHeaders({ headers = {} }: Made): unknown[] {
  return Object.entries(headers)
    .filter(([name]) => name.toLowerCase() === 'x-recall-token')
    .map(([, value]) => value);
}
