import { randomUUID } from 'node:crypto';
import { newId } from '../../src/id.ts';
import { writeUsage } from '../../src/store/usage-events.ts';
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

/** An agent profile that speaks nothing yet. */
export async function agentProfileIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  const profile = await arrange.call('create_agent_profile', { projectId, name: 'Reception' });
  return profile.id;
}

/** A conversation whose design is the one that every new conversation has. */
export async function conversationIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  const agentId = await agentProfileIn(arrange);
  const conversation = await arrange.call('create_conversation', { projectId, name: 'Reception', agentId });
  return conversation.id;
}

/** A publishable key besides the tenant's own. */
export async function mintedKeyIn(arrange: Arrange): Promise<string> {
  const { projectId } = arrange.tenant;
  const key = await arrange.call('mint_key', { projectId, keyType: 'publishable' });
  return key.id;
}

/** The project at work again: the example of update_project pauses it, and no model is called for a paused one. */
export async function resumeIn(arrange: Arrange): Promise<void> {
  const { projectId } = arrange.tenant;
  await arrange.call('update_project', { projectId, status: 'active' });
}

/** What a call of March 2026 used. */
export async function usedIn({ world, tenant: { projectId } }: Arrange): Promise<void> {
  const call = { projectId, service: 'llm', mode: 'realtime', occurredAt: Date.UTC(2026, 2, 9, 10) } as const;
  await writeUsage(world.core.knex, [
    { ...call, id: randomUUID(), metric: 'tokens_in', quantity: 1200 },
    { ...call, id: randomUUID(), metric: 'tokens_out', quantity: 80 },
  ]);
}
