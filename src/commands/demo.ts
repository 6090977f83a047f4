import type { Knex } from 'knex';
import { mintKey } from '../auth/key.ts';
import { createOrganization, createProject, isEmpty } from '../store/operators.ts';
import { storesIn } from '../store/stores.ts';
import { type Credentials, writeCredentials } from './credentials.ts';

/** One starter at a time looks whether the database is empty. */
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

/**
 * On an empty database makes a demo organization, a project of plan `growth`, its key and one working example
 * of each kind of resource, and writes `credentials.json`.
 * @returns the credentials, or undefined where the database was not empty.
 */
export function makeDemo(knex: Knex, home: string, url: string): Promise<Credentials | undefined> {
  return knex.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [demoLock]);
    if (!(await isEmpty(trx))) return undefined;
    const organizationId = await createOrganization(trx, 'Demo organization');
    const projectId = await createProject(trx, { name: 'Demo project', organizationId, plan: 'growth' });
    const { text: key, ...stored } = mintKey('secret');
    const record = { name: 'Demo key', keyType: 'secret', scope: 'platform' } as const;
    const { id: keyId } = await storesIn(trx, projectId).keys.create({ ...record, ...stored });
    await makeExamples(trx, projectId);
    const credentials = { url, organizationId, projectId, keyId, key };
    // Before the commit: credentials without a key are made anew, a key without credentials would be lost.
    writeCredentials(home, credentials);
    return credentials;
  });
}

async function makeExamples(trx: Knex, projectId: string): Promise<void> {
  const stores = storesIn(trx, projectId);
  const flow = await stores.flows.create({
    name: 'Reception',
    type: 'simple',
    description: 'Answers the phone of a dental practice.',
    agentProfileId: null,
    flowSchema: JSON.stringify(demoFlow),
  });
  await stores.flowVersions.create(flow.id, JSON.stringify({ ...demoFlow, closing: 'Goodbye.' }));
  const agent = {
    name: 'Sunny',
    isDefault: true,
    supportedInputLanguages: ['en'],
    reasoningMode: 'balanced',
    outputVoiceId: 'alloy',
  };
  await stores.agentProfiles.create(agent, [flow.id]);
}
