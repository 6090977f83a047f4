import path from 'node:path';
import type { Knex } from 'knex';
import * as v from 'valibot';
import type { Design } from '../../design/schema/design.ts';
import type { Services } from '../../environment/services.ts';
import { accessOfKey } from '../../operation/access.ts';
import type { Caller } from '../../operation/context.ts';
import { mintKey } from '../../resources/keys/key.ts';
import { storesIn } from '../../resources/project-stores.ts';
import {
  createOrganization,
  createProject,
  hasNoOrganization,
} from '../../resources/projects/provisioning.ts';
import { jsonDocument } from '../../store/json-document.ts';
import type { Stores } from '../../store/stores.ts';
import { type Credentials, writeCredentials } from '../home/credentials.ts';
import { readHomeFile, writeHomeFile } from '../home/json-file.ts';
import { insertMadeUpUsage } from './made-up-usage.ts';

/** Only one process at a time checks whether the database is empty. */
const demoLock = 727_003;

const demoFlow = {
  greeting: 'Hello, I am the AI assistant of Sunny Dental. How can I help you?',
  instructions: 'Answer questions about opening hours and take appointment requests.',
  language: 'en',
  persona: { name: 'Sunny', role: 'receptionist', tone: 'warm' },
  faq: [{ question: 'When are you open?', answer: 'Monday to Friday, 8 am to 6 pm.' }],
  handoff: { number: '+15550100', when: 'the caller asks for a person' },
  closing: 'Thank you for calling. Goodbye.',
};

const demoText = `# For patients

## Opening hours

We are open Monday to Friday from 8 am to 6 pm. On Saturdays we see emergencies only, from 9 am to noon.

## Appointments

Please cancel at least 24 hours ahead, by phone or on our website. New patients come ten minutes early and bring their
insurance card and a list of the medicines that they take.

## Parking

Guests of the practice park free of charge behind the building, where two places are kept for wheelchair users.
`;

/** The North American numbering plan reserves this range for fiction. */
const demoNumber = '+12025550100';

const text = v.string();

const DemoFile = v.object({
  organizationId: text,
  projectId: text,
  keyId: text,
  key: text,
  publishableKeyId: text,
  publishableKey: text,
  agentProfileId: text,
  flowId: text,
  flowVersionIds: v.array(text),
  conversationId: text,
  simpleConversationId: text,
  importedConversationId: text,
  integrationId: text,
  phoneNumberId: text,
  webAgentId: text,
  knowledgeBaseId: text,
  knowledgeSourceId: text,
  otherProject: v.object({ projectId: text, keyId: text, key: text }),
});

/** Every id of the demo, and its keys. No other file holds the other project's key or the publishable one. */
type Demo = v.InferOutput<typeof DemoFile>;

function demoFile(home: string): string {
  return path.join(home, 'demo.json');
}

/**
 * The ids of the demo of this home, or undefined if there is none.
 * @throws CommandError if the file is unreadable or damaged
 */
export function readDemo(home: string): Demo | undefined {
  return readHomeFile(demoFile(home), DemoFile, 'Delete it. The demo itself is still in the database.');
}

const introLine = 'Hello, I am the AI assistant of Sunny Dental. How can I help you?';

const demoDesign = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'greeting' },
  steps: {
    greeting: { kind: 'greeting', introLine, on: { next: 'menu' } },
    menu: {
      kind: 'route',
      options: [
        {
          id: 'book',
          title: 'Appointment',
          description: 'Wants to book or move one.',
          target: 'appointment',
        },
        { id: 'person', title: 'A person', description: 'Asks for a person.', target: 'reception' },
      ],
      on: { fallback: 'questions' },
    },
    appointment: {
      kind: 'collect',
      prompt: 'Which day suits you, and may I have your name?',
      collect: [
        { id: 'name', variableId: 'callerName', required: true },
        { id: 'day', variableId: 'preferredDay', required: true },
      ],
      on: { next: 'goodbye', failed: 'reception' },
    },
    questions: {
      kind: 'answer',
      instruction: 'Answer questions about the practice.',
      facts: 'Open Monday to Friday, 8 am to 6 pm.',
      on: { next: 'goodbye', noAnswer: 'reception' },
    },
    reception: {
      kind: 'transfer',
      line: 'I put you through to the reception.',
      destination: { kind: 'phoneNumber', value: '+15550100' },
      on: { failed: 'goodbye' },
    },
    goodbye: { kind: 'end', line: 'Thank you for calling. Goodbye.' },
  },
  variables: [
    { id: 'callerName', name: 'Name of the caller', type: 'text' },
    { id: 'preferredDay', name: 'Preferred day', type: 'text' },
  ],
  compliance: { aiDisclosure: { greeting: { status: 'approved', checkedText: introLine } } },
} as const satisfies Design;

/** The API does not expose the kind of its second step. */
const importedDesign = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'greeting' },
  steps: {
    greeting: { kind: 'greeting', introLine, on: { next: 'survey' } },
    survey: { kind: 'npsSurvey', question: 'How likely are you to recommend us?', on: { next: 'goodbye' } },
    goodbye: { kind: 'end' },
  },
};

/**
 * Fills an empty database with a demo: an organization, a project of plan `growth` with its keys, one working example of
 * each resource and a week of made-up usage, and a second project whose records the first cannot see. Writes
 * `credentials.json` and `demo.json`.
 * @returns the credentials, or undefined if the database was not empty
 */
export function makeDemo(
  knex: Knex,
  home: string,
  url: string,
  services: Pick<Services, 'seal' | 'sealFile'>,
): Promise<Credentials | undefined> {
  return knex.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [demoLock]);
    if (!(await hasNoOrganization(trx))) return undefined;
    const organizationId = await createOrganization(trx, 'Demo organization');
    const projectId = await createProject(trx, { name: 'Demo project', organizationId, plan: 'growth' });
    const otherProjectId = await createProject(trx, { name: 'Other demo project', organizationId });
    const secret = await makeKey(trx, projectId, 'secret');
    const publishable = await makeKey(trx, projectId, 'publishable');
    const examples = await makeExamples(trx, projectId, secret.keyId);
    const caller = callerOf(projectId, secret.keyId);
    const integrationId = await makeIntegration(trx, caller, services);
    const knowledge = await makeKnowledge(trx, caller, services);
    await insertMadeUpUsage(trx, projectId);
    const credentials = { url, organizationId, projectId, ...secret };
    // Before the commit: the next start replaces credentials without a key, but a key without credentials is lost.
    writeHomeFile(demoFile(home), {
      organizationId,
      projectId,
      ...secret,
      publishableKeyId: publishable.keyId,
      publishableKey: publishable.key,
      ...examples,
      integrationId,
      ...knowledge,
      otherProject: { projectId: otherProjectId, ...(await makeKey(trx, otherProjectId, 'secret')) },
    } satisfies Demo);
    writeCredentials(home, credentials);
    return credentials;
  });
}

async function makeKey(trx: Knex, projectId: string, keyType: 'secret' | 'publishable') {
  const { text: key, ...stored } = mintKey(keyType);
  const scope = keyType === 'secret' ? 'platform' : 'service_app';
  const { id: keyId } = await storesIn(trx, projectId).keys.create({
    name: `Demo key (${keyType})`,
    keyType,
    scope,
    ...stored,
  });
  return { keyId, key };
}

/** The demo's own key is the caller that encrypts. */
function callerOf(projectId: string, keyId: string): Caller {
  return {
    keyId,
    projectId,
    keyType: 'secret',
    scope: 'platform',
    access: accessOfKey('platform', null),
  };
}

/** A CRM with a made-up token. No design refers to it. */
async function makeIntegration(trx: Knex, caller: Caller, services: Pick<Services, 'seal'>): Promise<string> {
  const crm = { kind: 'crm', provider: 'hubspot', name: 'Patients' } as const;
  const credentials = JSON.stringify({ accessToken: 'a token of the demo' });
  const { id } = await storesIn(trx, caller.projectId).integrations.create(crm, (integrationId) =>
    services.seal(caller, 'integrations', integrationId, credentials),
  );
  return id;
}

/** A knowledge base with one file. The next process that indexes this database indexes it. */
async function makeKnowledge(trx: Knex, caller: Caller, services: Pick<Services, 'sealFile'>) {
  const stores = storesIn(trx, caller.projectId);
  const base = await stores.knowledgeBases.create('Practice');
  const source = await stores.knowledgeSources.create(base.id, {
    name: 'For patients',
    indexing: 'triggered',
    origin: {
      type: 'file',
      fileName: 'for-patients.md',
      mimeType: 'text/markdown',
      sealContent: (id) => services.sealFile(caller, 'knowledge_files', id, Buffer.from(demoText)),
    },
  });
  return { knowledgeBaseId: base.id, knowledgeSourceId: source.id };
}

/** One working example of each kind of resource, made by a key of the demo. */
async function makeExamples(trx: Knex, projectId: string, keyId: string) {
  const stores = storesIn(trx, projectId, keyId);
  const flow = await stores.flows.create({
    name: 'Reception',
    type: 'simple',
    description: 'Answers the phone of a dental practice.',
    agentProfileId: null,
    flowSchema: jsonDocument(demoFlow),
  });
  await stores.flowVersions.create(flow.id, jsonDocument({ ...demoFlow, closing: 'Goodbye.' }));
  const versions = await stores.flowVersions.list(flow.id, { limit: 2 });
  const agent = {
    name: 'Sunny',
    isDefault: true,
    supportedInputLanguages: ['en'],
    reasoningMode: 'balanced',
    outputVoiceId: 'alloy',
  };
  const profile = await stores.agentProfiles.create(agent, [flow.id]);
  const conversations = await makeConversations(stores, profile.id);
  const number = await stores.phoneNumbers.create({
    type: 'native',
    name: 'Practice',
    number: demoNumber,
    handler: { kind: 'flow', id: flow.id },
    trunk: null,
  });
  const webAgent = await stores.webAgents.create({
    name: 'Website',
    channel: 'widget',
    scopes: ['voice', 'chat'],
    allowedOrigins: ['http://localhost:3000'],
    conversationId: conversations.conversationId,
  });
  return {
    agentProfileId: profile.id,
    flowId: flow.id,
    flowVersionIds: versions.items.map(({ id }) => id).toReversed(),
    ...conversations,
    phoneNumberId: number.id,
    webAgentId: webAgent.id,
  };
}

/** Three conversations: with two versions, without a design, and with a design that the API does not expose. */
async function makeConversations(stores: Stores, agentId: string) {
  const create = async (name: string, description: string, design: object | null) => {
    const kind = design === null ? 'simple' : 'advanced';
    const stored = design && jsonDocument(design);
    return stores.conversations.create({
      name,
      description,
      kind,
      agentId,
      design: stored,
      references: undefined,
      isApproved: true,
    });
  };
  // Lists show the newest record first, and the first one should work.
  const imported = await create('Imported line', 'Came from another platform.', importedDesign);
  const simple = await create('Opening hours', 'Says when the practice is open.', null);
  const conversation = await create('Appointments', 'Takes appointments for a dental practice.', demoDesign);
  const { greeting, ...steps } = demoDesign.steps;
  const evening = { ...demoDesign, steps: { greeting: { ...greeting, name: 'Evening' }, ...steps } };
  await stores.conversationVersions.create(conversation.id, jsonDocument(evening), 'Evening');
  return {
    conversationId: conversation.id,
    simpleConversationId: simple.id,
    importedConversationId: imported.id,
  };
}
