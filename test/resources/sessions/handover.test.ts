import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { desk, openSessionProject, type Streamed, saidIn } from '../../helpers/session-project.ts';
import { openReceiver } from './receiver.ts';

/** A receiver, and a web agent whose visitors it can take over. */
async function openHandover() {
  const receiver = await openReceiver();
  const { project, url } = receiver;
  const webAgentId = await project.agentOf(desk);
  const at = `/v1/web-sessions/agents/${webAgentId}`;
  return {
    ...receiver,
    webAgentId,
    at,
    own: `${url}/own?desk=7`,
    async change(body: object) {
      const { status, body: changed } = await project.call('PATCH', at, body);
      expect(status, JSON.stringify(changed)).toBe(200);
      return changed;
    },
    async transfer(): Promise<Streamed[]> {
      const visit = await project.visit(webAgentId);
      await visit.start();
      return visit.say('A person, please');
    },
  };
}

const transferIn = (events: readonly Streamed[]) => events.find(({ event }) => event === 'transfer');

test("a web agent's own address gets its transfers, signed with a secret that only the change shows", async () => {
  const { project, received, to, setSecret, url, at, own, change, transfer, world } = await openHandover();
  await setSecret('HANDOVER_WEBHOOK_URL', `${url}/project`);
  const record = (await project.call('GET', at)).body;
  const { signingSecret, ...changed } = await change({ handoverUrl: own });
  expect(changed).toEqual({ ...record, handoverUrl: own });
  expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  expect((await project.call('GET', at)).body).toEqual(record);
  expect((await project.call('GET', `${at}?details=true`)).body).toEqual({ ...record, handoverUrl: own });

  expect(transferIn(await transfer())).toMatchObject({ handedOver: true });
  const [handover] = received;
  expect(handover?.url).toBe('/own?desk=7');
  expect(new Webhook(signingSecret).verify(handover?.body ?? '', handover?.headers ?? {})).toMatchObject({
    type: 'session.transfer',
    destination: { value: '+12025550155' },
  });
  const old = { ...handover?.headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 3_600) };
  expect(() => new Webhook(signingSecret).verify(handover?.body ?? '', old)).toThrow(/timestamp/);

  // The same address keeps its secret; another one gets its own; without one, the project's address takes over.
  expect(await change({ handoverUrl: own, name: 'Shop' })).not.toHaveProperty('signingSecret');
  const moved = await change({ handoverUrl: `${url}/moved` });
  expect(moved.signingSecret).not.toBe(signingSecret);
  await transfer();
  const [second] = to('/moved');
  expect(() => new Webhook(signingSecret).verify(second?.body ?? '', second?.headers ?? {})).toThrow(
    /signature/,
  );
  expect(new Webhook(moved.signingSecret).verify(second?.body ?? '', second?.headers ?? {})).toBeTruthy();
  expect(await change({ handoverUrl: null })).toMatchObject({ handoverUrl: null });
  await transfer();
  expect(received.map(({ url: path }) => path)).toEqual(['/own?desk=7', '/moved', '/project']);
  const rows = await world.rows('select * from audit_log where project_id = $1', [project.projectId]);
  expect(JSON.stringify(rows)).not.toMatch(/whsec_|desk=7/);
});

test('a handover is sent again if the receiver fails, and a receiver that refuses it fails the transfer', async () => {
  const { received, responds, own, change, transfer } = await openHandover();
  await change({ handoverUrl: own });
  responds(() => (received.length < 3 ? 503 : 200));
  expect(transferIn(await transfer())).toMatchObject({ handedOver: true });
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(received).toHaveLength(3);
  responds(() => 404);
  const refused = await transfer();
  expect(transferIn(refused)).toBeUndefined();
  expect(saidIn(refused)).toEqual(['I connect you.', 'Goodbye.']);
  expect(received).toHaveLength(4);
});

test('a handover reaches no internal address', async () => {
  const { change, transfer, received } = await openHandover();
  for (const handoverUrl of ['http://127.0.0.1:9/', 'http://169.254.169.254/latest', 'http://[::1]/']) {
    await change({ handoverUrl });
    expect(saidIn(await transfer()), handoverUrl).toEqual(['I connect you.', 'Goodbye.']);
  }
  expect(received).toEqual([]);
});

test('an address that is none is refused, and so is a change of a web agent of another project', async () => {
  const { project, world, at, webAgentId, own } = await openHandover();
  for (const handoverUrl of ['', 'example.com', 'ftp://example.com', 'https://user:word@example.com', 7]) {
    const { status, body } = await project.call('PATCH', at, { handoverUrl });
    expect([status, body.error?.details?.issues?.[0]?.path], String(handoverUrl)).toEqual([
      400,
      '/handoverUrl',
    ]);
  }
  const stranger = await openSessionProject(world);
  expect((await stranger.call('PATCH', at, { handoverUrl: own })).status).toBe(404);
  expect((await stranger.call('GET', `${at}?details=true`)).status).toBe(404);
  expect(await world.rows('select handover_url from web_agents where id = $1', [webAgentId])).toEqual([
    { handover_url: null },
  ]);
});

test('a deleted web agent comes back with its address and its secret', async () => {
  const { project, at, own, change, transfer, received } = await openHandover();
  const { signingSecret } = await change({ handoverUrl: own });
  const { trashId } = (await project.call('DELETE', at)).body;
  const restored = await project.call('POST', `/v1/projects/${project.projectId}/trash/${trashId}/restore`);
  expect(restored.status, JSON.stringify(restored.body)).toBe(200);
  expect(transferIn(await transfer())).toMatchObject({ handedOver: true });
  const [handover] = received;
  expect(new Webhook(signingSecret).verify(handover?.body ?? '', handover?.headers ?? {})).toBeTruthy();
});

test('MCP sets and shows the address, and repeats no secret', async () => {
  const { project, world, webAgentId, own } = await openHandover();
  const client = await world.mcp('modern http', project.key);
  const call = async (name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })).structuredContent;
  expect(await call('update_web_agent', { webAgentId, handoverUrl: own })).toMatchObject({
    handoverUrl: own,
    signingSecret: expect.stringMatching(/^whsec_/),
  });
  const shown = await call('get_web_agent', { webAgentId });
  expect(shown).toMatchObject({ id: webAgentId, handoverUrl: own });
  expect(shown).not.toHaveProperty('signingSecret');
});
