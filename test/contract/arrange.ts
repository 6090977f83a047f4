import { randomUUID } from 'node:crypto';
import { newId } from '../../src/platform/id.ts';
import { writeUsage } from '../../src/resources/usage/events.ts';
import { wav } from '../helpers/wav.ts';
import type { RestAnswer, Tenant, World } from '../helpers/world.ts';
import { openDoor, success } from './doors.ts';
import { toolNamed } from './registry.ts';
import type { Input } from './rest-request.ts';

/** The means to create fixtures in the project of one tenant. */
export interface Arrange {
  readonly world: World;
  readonly tenant: Tenant;
  /** Calls an operation over REST with the tenant's key, which has every access. */
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

/** Creates a flow with one version and an agent profile. */
export async function flowIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  const agentProfileId = await agentProfileIn(arrange);
  const flowSchema = { greeting: 'Hello, I am an AI assistant.', language: 'en' };
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

/** Creates an entry of the trash. */
export async function trashIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  await deletedFlowIn(arrange);
  const { trash } = await arrange.call('list_trash', { projectId, limit: 1 });
  return trash[0].id;
}

/** Sets a secret. The default name is unique. */
export async function secretIn(arrange: Arrange, name = newId('trash')): Promise<string> {
  const { projectId } = arrange.tenant;
  await arrange.call('set_secret', { projectId, name, value: `the value of ${name}` });
  return name;
}

/** Creates a CRM integration that no design names. */
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

/** Creates an agent profile with nothing but a name. */
export async function agentProfileIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  const profile = await arrange.call('create_agent_profile', { projectId, name: 'Reception' });
  return profile.id;
}

export async function voiceIn(arrange: Arrange): Promise<string> {
  const voice = await arrange.call('clone_voice', newVoice);
  return voice.id;
}

/** Sends a file to the address of a new upload. */
export async function uploadIn(arrange: Arrange, file: Uint8Array = wav()): Promise<string> {
  const { projectId } = arrange.tenant;
  const { uploadId, url } = await arrange.call('create_upload', { projectId });
  const { status } = await fetch(url, { method: 'PUT', body: new Uint8Array(file) });
  if (status !== 200) throw new Error(`the upload was refused with ${status}`);
  return uploadId;
}

/** A custom voice without optional inputs. */
export const newVoice = {
  name: 'Ada',
  gender: 'female',
  referenceAudioBase64: wav().toString('base64'),
  referenceTranscript: 'Good morning.',
};

/** Creates a conversation with the design of every new conversation. */
export async function conversationIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  const agentId = await agentProfileIn(arrange);
  const conversation = await arrange.call('create_conversation', { projectId, name: 'Reception', agentId });
  return conversation.id;
}

/** A scenario that the starter design meets. */
export const newScenario = {
  name: 'Hangs up',
  tags: ['short'],
  caller: { script: [{ hangUp: true }] },
  expect: [{ ends: { reason: 'hungUp' } }],
};

/** Creates a conversation with one scenario. */
export async function scenarioIn(arrange: Arrange): Promise<{ conversationId: string; scenarioId: string }> {
  const conversationId = await conversationIn(arrange);
  const saved = await arrange.call('save_scenarios', { conversationId, scenarios: [newScenario] });
  const [{ id }] = saved['scenarios'] as [{ id: string }];
  return { conversationId, scenarioId: id };
}

/** Stores a session of two turns that has ended, as a visitor's chat does. */
export async function sessionIn(arrange: Arrange): Promise<{ conversationId: string; sessionId: string }> {
  const { projectId } = arrange.tenant;
  const [conversationId, sessionId] = [await conversationIn(arrange), newId('session')];
  await arrange.world.rows(
    `insert into sessions (project_id, id, conversation_id, version, channel, ended_at, reason, outcome, played, turns,
       last_step)
     values ($1, $2, $3, 1, 'chat', now(), 'hungUp', 'abandoned', 2, 1, 'help')`,
    [projectId, sessionId, conversationId],
  );
  await arrange.world.rows(
    `insert into session_turns
       (project_id, session_id, number, caller_text, events, path, requests, notes, understood, understood_by)
     values
       ($1, $2, 0, null, '[{"event": "say", "text": "Hello, I am an AI.", "step": "greeting"}]',
        '[{"at": "step", "id": "greeting", "exit": "next", "why": "said"}]', '[]', '[]', '[]', null),
       ($1, $2, 1, 'What does it cost?', '[{"event": "say", "text": "Ten euros.", "step": "help"}]',
        '[{"at": "step", "id": "help", "exit": null, "why": null}]', '[]', '["a note"]', '[{"answered": true}]', 'rule')`,
    [projectId, sessionId],
  );
  return { conversationId, sessionId };
}

/** Creates an empty knowledge base. */
export async function knowledgeBaseIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  const base = await arrange.call('create_knowledge_base', { projectId, name: 'Fares' });
  return base.id;
}

/** Creates a knowledge base with one file, which is not indexed. */
export async function knowledgeSourceIn(
  arrange: Arrange,
): Promise<{ knowledgeBaseId: string; sourceId: string }> {
  const knowledgeBaseId = await knowledgeBaseIn(arrange);
  const source = await arrange.call('add_knowledge_source', { knowledgeBaseId, ...newFile });
  return { knowledgeBaseId, sourceId: source.id };
}

/** Creates a knowledge base with one page that a search can find. */
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

/** A file source. Unlike a website, it makes the server fetch nothing. */
export const newFile = {
  type: 'file',
  name: 'Fares',
  fileName: 'fares.md',
  mimeType: 'text/markdown',
  contentBase64: Buffer.from('# Fares\n\nChildren travel free.\n').toString('base64'),
  indexing: 'deferred',
};

let numbers = 0;

/** Returns a different number on each call, in E.164. */
export function newNumber(): string {
  numbers += 1;
  return `+1202${String(2_000_000 + numbers)}`;
}

/** Creates an external phone number whose handler is a flow. */
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

/** Creates a web agent for one website. */
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

/** Creates a publishable key. */
export async function mintedKeyIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  const key = await arrange.call('mint_key', { projectId, keyType: 'publishable' });
  return key.id;
}

/** Records the usage of one call in March 2026. */
export async function usedIn({ world, tenant: { projectId } }: Arrange): Promise<void> {
  const call = { projectId, service: 'llm', mode: 'realtime', occurredAt: Date.UTC(2026, 2, 9, 10) } as const;
  await writeUsage(world.core.knex, [
    { ...call, id: randomUUID(), metric: 'tokens_in', quantity: 1200 },
    { ...call, id: randomUUID(), metric: 'tokens_out', quantity: 80 },
  ]);
}
