import { randomUUID } from 'node:crypto';
import { newId } from '../../src/id.ts';
import { writeUsage } from '../../src/usage/events.ts';
import { wav } from '../helpers/wav.ts';
import type { RestAnswer, Tenant, World } from '../helpers/world.ts';
import { openDoor, success } from './doors.ts';
import { toolNamed } from './registry.ts';
import type { Input } from './rest-request.ts';

/** What an example makes its fixture with, in the project of one tenant. */
export interface Arrange {
  readonly world: World;
  readonly tenant: Tenant;
  /** Calls an operation over REST with the tenant's key, which may do everything. */
  readonly call: (name: string, input: Input) => Promise<RestAnswer['body']>;
}

export function arrangeIn(world: World, tenant: Tenant): Arrange {
  return {
    world,
    tenant,
    async call(name, input) {
      const rest = await openDoor(world, 'REST', tenant.key);
      return success(await rest.call(toolNamed(name), input));
    },
  };
}

/** A flow with one version and an agent profile. */
export async function flowIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  const agentProfileId = await agentProfileIn(arrange);
  const flowSchema = { language: 'en' };
  const flow = await arrange.call('create_flow', {
    projectId,
    name: 'Opening hours',
    agentProfileId,
    flowSchema,
  });
  return flow.id;
}

export async function deletedFlowIn(arrange: Arrange): Promise<void> {
  await arrange.call('delete_flow', { flowId: await flowIn(arrange) });
}

/** An entry of the trash. */
export async function trashIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  await deletedFlowIn(arrange);
  const { trash } = await arrange.call('list_trash', { projectId, limit: 1 });
  return trash[0].id;
}

/** A secret; without a name, one that nobody else has. */
export async function secretIn(arrange: Arrange, name = newId('trash')): Promise<string> {
  const { projectId } = arrange.tenant;
  await arrange.call('set_secret', { projectId, name, value: `the value of ${name}` });
  return name;
}

/** A CRM that no design names. */
export async function integrationIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  const integration = await arrange.call('create_integration', {
    projectId,
    kind: 'crm',
    provider: 'hubspot',
    name: 'Customers',
    credentials: { accessToken: 'what is kept secret' },
  });
  return integration.id;
}

/** An agent profile that speaks nothing yet. */
export async function agentProfileIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  const profile = await arrange.call('create_agent_profile', { projectId, name: 'Reception' });
  return profile.id;
}

/** A custom voice. */
export async function voiceIn(arrange: Arrange): Promise<string> {
  const voice = await arrange.call('clone_voice', newVoice);
  return voice.id;
}

/** What a custom voice is made of, without what may be left out. */
export const newVoice = {
  name: 'Ada',
  gender: 'female',
  referenceAudioBase64: wav().toString('base64'),
  referenceTranscript: 'Good morning.',
};

/** A conversation whose design is the one that every new conversation has. */
export async function conversationIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  const agentId = await agentProfileIn(arrange);
  const conversation = await arrange.call('create_conversation', { projectId, name: 'Reception', agentId });
  return conversation.id;
}

/** An empty knowledge base. */
export async function knowledgeBaseIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  const base = await arrange.call('create_knowledge_base', { projectId, name: 'Fares' });
  return base.id;
}

/** A file in a knowledge base, which is not indexed. */
export async function knowledgeSourceIn(
  arrange: Arrange,
): Promise<{ knowledgeBaseId: string; sourceId: string }> {
  const knowledgeBaseId = await knowledgeBaseIn(arrange);
  const source = await arrange.call('add_knowledge_source', { knowledgeBaseId, ...newFile });
  return { knowledgeBaseId, sourceId: source.id };
}

/** A knowledge base with a page that can be found. */
export async function searchedBaseIn(arrange: Arrange): Promise<string> {
  const { knowledgeBaseId, sourceId } = await knowledgeSourceIn(arrange);
  const { projectId } = arrange.tenant;
  await arrange.world.rows(
    `insert into knowledge_pages (project_id, source_id, url, run, depth, status) values ($1, $2, '', 1, 0, 'done')`,
    [projectId, sourceId],
  );
  await arrange.world.rows(
    `insert into knowledge_chunks (project_id, knowledge_base_id, source_id, url, position, heading, text, language)
     values ($1, $2, $3, '', 0, 'Fares', 'Children under six travel free of charge.', 'english')`,
    [projectId, knowledgeBaseId, sourceId],
  );
  return knowledgeBaseId;
}

/** What a source is made of that nothing is fetched for. */
export const newFile = {
  type: 'file',
  name: 'Fares',
  fileName: 'fares.md',
  mimeType: 'text/markdown',
  contentBase64: Buffer.from('# Fares\n\nChildren travel free.\n').toString('base64'),
  indexing: 'deferred',
};

let numbers = 0;

/** A number that no other phone number of a test has, in E.164. */
export function newNumber(): string {
  numbers += 1;
  return `+1202${String(2_000_000 + numbers)}`;
}

/** An external phone number that a flow answers. */
export async function phoneNumberIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  const number = await arrange.call('import_phone_number', {
    projectId,
    name: 'Front desk',
    number: newNumber(),
    type: 'external',
    flowId: await flowIn(arrange),
    externalPhoneFields: { provider: 'sip', terminationUri: 'sip.example.com', transport: 'tls' },
  });
  return number.id;
}

/** A web agent on one website. */
export async function webAgentIn(arrange: Arrange): Promise<string> {
  const webAgent = await arrange.call('create_web_agent', {
    projectId: arrange.tenant.projectId,
    name: 'Website',
    conversationId: await conversationIn(arrange),
    scopes: ['voice', 'chat'],
    allowedOrigins: ['https://www.example.com'],
  });
  return webAgent.id;
}

/** A publishable key besides the tenant's own. */
export async function mintedKeyIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  const key = await arrange.call('mint_key', { projectId, keyType: 'publishable' });
  return key.id;
}

/** What a call of March 2026 used. */
export async function usedIn({ world, tenant: { projectId } }: Arrange): Promise<void> {
  const call = { projectId, service: 'llm', mode: 'realtime', occurredAt: Date.UTC(2026, 2, 9, 10) } as const;
  await writeUsage(world.core.knex, [
    { ...call, id: randomUUID(), metric: 'tokens_in', quantity: 1200 },
    { ...call, id: randomUUID(), metric: 'tokens_out', quantity: 80 },
  ]);
}
