import type { Client as ModernClient } from '@modelcontextprotocol/client';
import type { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { created, type DesignProject, openDesignProject } from '../../helpers/design-project.ts';
import { openWorld, type World } from '../../helpers/world.ts';
import { modernMessage } from './modern-message.ts';
import { rpc, sender } from './raw-message.ts';

let world: World;
/** Another replica on the same database, where changes are made. */
let replica: World;
let project: DesignProject;
/** The same project through the other replica. */
let elsewhere: DesignProject;
beforeAll(async () => {
  world = await openWorld();
  replica = await openWorld({ database: { url: world.databaseUrl, drop: async () => undefined } });
  project = await openDesignProject(world);
  elsewhere = {
    ...project,
    activate: (id, n) =>
      replica.rest('POST', `/v1/conversations/${id}/versions/${n}/activate`, { key: project.key }),
  };
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

const designAt = (id: string) => `parley://conversations/${id}/design`;

/** A conversation with two versions, of which the first is active. */
async function withDraft(): Promise<string> {
  const id = await project.newConversation();
  const { body } = await project.read(id, 1);
  created(await project.write(id, { ...body, entry: { stepId: 'goodbye' } }));
  return id;
}

/** A client of 2026-07-28, and the addresses of which it has heard. */
async function listener(
  transport: 'modern http' | 'modern stdio',
  addresses: readonly string[],
  key = project.key,
) {
  const client = (await world.mcp(transport, key)) as unknown as ModernClient;
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.push(params.uri);
  });
  const subscription = await client.listen({ resourceSubscriptions: [...addresses] });
  return { client, heard, subscription };
}

describe.each(['modern http', 'modern stdio'] as const)('a client of 2026-07-28 over %s', (transport) => {
  it('hears of a version that another replica activates, once, and of nothing else', async () => {
    const [id, otherId] = [await withDraft(), await withDraft()];
    const { heard, subscription } = await listener(transport, [designAt(id)]);
    expect(subscription.honoredFilter.resourceSubscriptions).toEqual([designAt(id)]);
    await elsewhere.activate(otherId, 2);
    await elsewhere.activate(id, 2);
    await expect.poll(() => heard, { timeout: 5_000 }).toEqual([designAt(id)]);
    await elsewhere.activate(id, 1);
    await expect.poll(() => heard, { timeout: 5_000 }).toEqual([designAt(id), designAt(id)]);
  });

  it('hears nothing more once it has closed the subscription', async () => {
    const [id, control] = [await withDraft(), await withDraft()];
    const first = await listener(transport, [designAt(id)]);
    await first.subscription.close();
    const second = await listener(transport, [designAt(control)]);
    await elsewhere.activate(id, 2);
    await elsewhere.activate(control, 2);
    await expect.poll(() => second.heard, { timeout: 5_000 }).toEqual([designAt(control)]);
    expect(first.heard).toEqual([]);
  });
});

it('tells a client of 2025 over stdio, until it unsubscribes', async () => {
  const client = (await world.mcp('legacy stdio', project.key)) as unknown as LegacyClient;
  expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true });
  const heard: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    heard.push(params.uri);
  });
  const [id, control] = [await withDraft(), await withDraft()];
  await client.subscribeResource({ uri: designAt(id) });
  await client.subscribeResource({ uri: designAt(control) });
  await elsewhere.activate(id, 2);
  await expect.poll(() => heard, { timeout: 5_000 }).toEqual([designAt(id)]);
  await client.unsubscribeResource({ uri: designAt(id) });
  await elsewhere.activate(id, 1);
  await elsewhere.activate(control, 2);
  await expect.poll(() => heard, { timeout: 5_000 }).toEqual([designAt(id), designAt(control)]);
  await expect(client.subscribeResource({ uri: 'parley://schemas/cd-1' })).rejects.toMatchObject({
    code: -32_602,
  });
});

it('offers no subscriptions to a client of 2025 over HTTP, which no stream would reach', async () => {
  const client = (await world.mcp('legacy http', project.key)) as unknown as LegacyClient;
  expect(client.getServerCapabilities()?.resources).toEqual({});
});

it('tells of a flow that changes', async () => {
  const flow = created(
    await project.call('POST', `/v1/projects/${project.projectId}/flows`, { name: 'F', flowSchema: {} }),
  );
  const address = `parley://flows/${flow.id}`;
  const { heard } = await listener('modern http', [address]);
  await project.call('PATCH', `/v1/flows/${flow.id}`, { name: 'Renamed' });
  await expect.poll(() => heard, { timeout: 5_000 }).toEqual([address]);
});

it('says nothing of the records of another project', async () => {
  const [id, own] = [await withDraft(), await openDesignProject(world)];
  const control = await own.newConversation();
  const { heard } = await listener('modern http', [designAt(id), designAt(control)], own.key);
  await project.activate(id, 2);
  await own.call('DELETE', `/v1/conversations/${control}`);
  await expect.poll(() => heard, { timeout: 5_000 }).toEqual([designAt(control)]);
});

it('honours only addresses of resources that change and that the client sees', async () => {
  const id = await withDraft();
  const addresses = [
    designAt(id),
    'parley://schemas/cd-1',
    `parley://conversations/${id}/versions/1/design`,
    'file:///etc/passwd',
    designAt('../x'),
  ];
  const { subscription } = await listener('modern http', addresses);
  expect(subscription.honoredFilter.resourceSubscriptions).toEqual([designAt(id)]);
});

it('ends the subscriptions of a key that expires', async () => {
  const key = await world.key(project.projectId);
  const { subscription } = await listener('modern http', [designAt(await withDraft())], key.key);
  const closed: string[] = [];
  void subscription.closed.then((by) => closed.push(by));
  await world.rows('update api_keys set expires_at = now() where id = $1', [key.keyId]);
  await expect.poll(() => closed, { timeout: 10_000 }).toEqual(['remote']);
});

it('ends the subscriptions of a key that is revoked', async () => {
  const key = await world.key(project.projectId);
  const { subscription } = await listener('modern http', [designAt(await withDraft())], key.key);
  const closed: string[] = [];
  void subscription.closed.then((by) => closed.push(by));
  await replica.rest('POST', `/v1/keys/${key.keyId}/revoke`, { key: project.key });
  await expect.poll(() => closed, { timeout: 10_000 }).toEqual(['remote']);
});

it('refuses a key that watches more than a hundred resources', async () => {
  const addresses = Array.from({ length: 101 }, (_, index) => designAt(`ccv${index}`));
  const filter = { notifications: { resourceSubscriptions: addresses } };
  const reply = await sender(world.base, project.key)(modernMessage('subscriptions/listen', filter));
  expect(rpc(reply).error).toMatchObject({ message: 'Subscription limit reached' });
});
