import { afterAll, beforeAll, expect, test } from 'vitest';
import { disclosing } from '../../designs/disclosed.ts';
import { type McpClient, openWorld, type World } from '../../helpers/world.ts';

let world: World;
let client: McpClient;
let studio: string;
beforeAll(async () => {
  world = await openWorld({ isAddressKnown: true });
  studio = `${world.base}/studio`;
  client = await world.mcp('modern http', (await world.tenant()).key);
});
afterAll(() => world.close());

async function call(name: string, input: Record<string, unknown>, of: McpClient = client) {
  const { content, structuredContent, isError } = await of.callTool({ name, arguments: input });
  expect(isError ?? false, content[0]?.text).toBe(false);
  return structuredContent as Record<string, string>;
}

test('links a draft of a conversation to the page of the Studio that shows and activates it', async () => {
  const { id, link } = await call('create_conversation', { name: 'Desk' });
  expect(link).toBe(`${studio}/conversations/${id}`);
  // A name stands for the id in the call, and not in the link.
  const edit = { conversationId: 'Desk', version: 'newest', merge: { steps: { goodbye: { line: 'Bye.' } } } };
  const draft = `${studio}/conversations/${id}/changes`;
  expect(await call('edit_design', edit)).toMatchObject({ link: draft });
  expect(await call('edit_design', { ...edit, activate: true })).not.toHaveProperty('link');
  const { design } = await call('read_design', { conversationId: 'Desk', version: 'newest' });
  expect(await call('write_design', { conversationId: id, version: 'newest', design })).toMatchObject({
    link: draft,
  });
  expect(await call('restore_version', { conversationId: 'Desk', version: 1 })).toMatchObject({
    link: draft,
  });
  const samples = { name: 'Booking', templateKey: 'faq', templateSamples: true };
  const made = await call('create_conversation', samples);
  expect(made['link']).toBe(`${studio}/conversations/${made['id']}/changes`);
});

test('links a draft of a flow', async () => {
  const flowSchema = { greeting: disclosing };
  const { id, link } = await call('create_flow', { name: 'Hours', flowSchema });
  expect(link).toBe(`${studio}/flows/${id}`);
  const draft = { link: `${studio}/flows/${id}/changes` };
  expect(await call('create_flow_version', { flowId: 'Hours', flowSchema })).toMatchObject(draft);
  const edit = { flowId: 'Hours', version: 'newest', merge: { closing: 'Bye.' } };
  expect(await call('edit_flow', edit)).toMatchObject(draft);
  expect(await call('restore_version', { flowId: 'Hours', version: 1 })).toMatchObject(draft);
});

test('has no link if nobody has said how people reach the server', async () => {
  const closed = await openWorld();
  try {
    const other = await closed.mcp('modern http', (await closed.tenant()).key);
    expect(await call('create_conversation', { name: 'Desk' }, other)).not.toHaveProperty('link');
  } finally {
    await closed.close();
  }
});
