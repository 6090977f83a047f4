import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiDocument } from '../../src/rest/openapi.ts';
import { toolsets } from '../../tools/index.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

test('returns the document without a key, with the version of the contract', async () => {
  const answer = await fetch(`${world.base}/openapi.json`);
  expect(answer.status).toBe(200);
  const document = (await answer.json()) as { info: { version: string } };
  expect(document).toEqual(openApiDocument(toolsets));
  expect(document.info.version).toBe('1.3.5');
});

test('a response with an unknown member does not match the document', async () => {
  const { key } = await world.tenant();
  await expect(world.rest('GET', '/v1/projects', { key })).resolves.toMatchObject({ status: 200 });
  expect(() =>
    world.checkAnswer('GET', '/v1/projects', 200, 'application/json', { projects: [], hash: 'x' }),
  ).toThrow(/additional properties/);
});
