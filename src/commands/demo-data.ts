import path from 'node:path';
import type { Knex } from 'knex';
import * as v from 'valibot';
import { mintKey } from '../auth/key.ts';
import { createOrganization, createProject, isEmpty } from '../store/operators.ts';
import { storesIn } from '../store/stores.ts';
import { type Credentials, writeCredentials } from './credentials.ts';
import { readHomeFile, writeHomeFile } from './home-file.ts';

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
  otherProject: v.object({ projectId: text, keyId: text, key: text }),
});

/** Every id of the demo, and its keys, whose texts are nowhere else. */
type Demo = v.InferOutput<typeof DemoFile>;

function demoFile(home: string): string {
  return path.join(home, 'demo.json');
}

/**
 * The ids of the demo that was made with this home, where there is one.
 * @throws CommandError where the file is there and cannot be read, or holds something else.
 */
export function readDemo(home: string): Demo | undefined {
  return readHomeFile(demoFile(home), DemoFile, 'delete it; the demo itself is still in the database');
}

/**
 * On an empty database makes a demo organization, a project of plan `growth`, its keys and one working example
 * of each kind of resource, a second project whose records the first cannot see, and writes `credentials.json`
 * and `demo.json`.
 * @returns the credentials, or undefined where the database was not empty.
 */
export function makeDemo(knex: Knex, home: string, url: string): Promise<Credentials | undefined> {
  return knex.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [demoLock]);
    if (!(await isEmpty(trx))) return undefined;
    const organizationId = await createOrganization(trx, 'Demo organization');
    const projectId = await createProject(trx, { name: 'Demo project', organizationId, plan: 'growth' });
    const otherProjectId = await createProject(trx, { name: 'Other demo project', organizationId });
    const secret = await makeKey(trx, projectId, 'secret');
    const publishable = await makeKey(trx, projectId, 'publishable');
    const examples = await makeExamples(trx, projectId);
    const credentials = { url, organizationId, projectId, ...secret };
    // Before the commit: credentials without a key are made anew, a key without credentials would be lost.
    writeHomeFile(demoFile(home), {
      organizationId,
      projectId,
      ...secret,
      publishableKeyId: publishable.keyId,
      publishableKey: publishable.key,
      ...examples,
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

/** One working example of each kind of resource. */
async function makeExamples(trx: Knex, projectId: string) {
  const stores = storesIn(trx, projectId);
  const flow = await stores.flows.create({
    name: 'Reception',
    type: 'simple',
    description: 'Answers the phone of a dental practice.',
    agentProfileId: null,
    flowSchema: JSON.stringify(demoFlow),
  });
  await stores.flowVersions.create(flow.id, JSON.stringify({ ...demoFlow, closing: 'Goodbye.' }));
  const versions = await stores.flowVersions.list(flow.id, { limit: 2 });
  const agent = {
    name: 'Sunny',
    isDefault: true,
    supportedInputLanguages: ['en'],
    reasoningMode: 'balanced',
    outputVoiceId: 'alloy',
  };
  const profile = await stores.agentProfiles.create(agent, [flow.id]);
  return {
    agentProfileId: profile.id,
    flowId: flow.id,
    flowVersionIds: versions.items.map(({ id }) => id).toReversed(),
  };
}
