import { afterAll, beforeAll, expect, test } from 'vitest';
import { disclosing } from '../designs/disclosed.ts';
import { openProject, type Project } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: Project;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function openTelling(webhook: object): Promise<string> {
  project = await openProject(world);
  const tell = { id: 'tell', webhook: { url: 'https://api.example.com/calls', payload: [], ...webhook } };
  const { status, body } = await project.call('POST', `/v1/projects/${project.projectId}/conversations`, {
    name: 'Desk',
    design: {
      schemaVersion: 'cd/1',
      entry: { stepId: 'hello' },
      steps: {
        hello: { kind: 'greeting', introLine: disclosing, on: { next: 'bye' } },
        bye: { kind: 'end' },
      },
      hooks: { after: { entryPoints: { bye: 'tell' }, nodes: { tell } } },
    },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

const set = async (name: string) => {
  const path = `/v1/projects/${project.projectId}/secrets/${name}`;
  expect(
    (await project.call('PATCH', path, { value: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })).status,
  ).toBe(200);
};

/** The warnings about the signature, and what the outline says signs the webhook, over both transports. */
async function signatureOf(conversationId: string) {
  const path = `/v1/conversations/${conversationId}`;
  const outline = (await project.call('GET', `${path}/versions/1/design?outline=true`)).body;
  const { problems } = (await project.call('POST', `${path}/designs/validate`, { merge: {} })).body;
  const client = await world.mcp('modern http', project.key);
  const read = await client.callTool({ name: 'read_design', arguments: { conversationId, outline: true } });
  expect(read.structuredContent).toEqual(outline);
  expect(JSON.stringify([outline, problems])).not.toContain('whsec_');
  return {
    signedWith: outline.hooks.after[0].signedWith,
    warnings: problems.map(({ path: place, message }: Record<string, string>) => `${place} ${message}`),
  };
}

const node = '/hooks/after/nodes/tell/webhook';

test('says by name which secret signs a webhook, and that the one which it names is missing', async () => {
  const id = await openTelling({ secretHint: 'CRM_KEY' });
  const missing = `${node}/secretHint There is no secret "CRM_KEY" in this project, so this webhook`;
  expect(await signatureOf(id)).toEqual({ signedWith: null, warnings: [`${missing} is not signed.`] });
  await set('WEBHOOK_SIGNING_SECRET');
  expect(await signatureOf(id)).toEqual({
    signedWith: 'WEBHOOK_SIGNING_SECRET',
    warnings: [`${missing} is signed with the secret WEBHOOK_SIGNING_SECRET.`],
  });
  await set('CRM_KEY');
  expect(await signatureOf(id)).toEqual({ signedWith: 'CRM_KEY', warnings: [] });
});

test('warns about a header for a signature that no secret makes, and about no other unsigned webhook', async () => {
  const plain = await openTelling({});
  expect(await signatureOf(plain)).toEqual({ signedWith: null, warnings: [] });
  const id = await openTelling({ signatureHeader: 'x-signature' });
  expect(await signatureOf(id)).toEqual({
    signedWith: null,
    warnings: [
      `${node}/signatureHeader This webhook names a header for its signature, and is not signed: the project has no secret WEBHOOK_SIGNING_SECRET.`,
    ],
  });
  await set('WEBHOOK_SIGNING_SECRET');
  expect(await signatureOf(id)).toEqual({ signedWith: 'WEBHOOK_SIGNING_SECRET', warnings: [] });
});
