import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiDocument } from '../../../src/transports/rest/openapi.ts';
import { toolsets } from '../../../tools/index.ts';
import { openWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

test('returns the document without a key, with the versions of the contract and of the program', async () => {
  const answer = await fetch(`${world.base}/openapi.json`);
  expect(answer.status).toBe(200);
  const document = (await answer.json()) as { info: Record<string, unknown> };
  expect(document).toEqual(openApiDocument(toolsets, '0.0.0-test'));
  const { body: health } = await world.rest('GET', '/healthz');
  expect(document.info).toMatchObject({ version: '1.3.5', 'x-parley-version': health.version });
});

test('returns 304 without the document for its ETag, with and without a key', async () => {
  const { key } = await world.tenant();
  const url = `${world.base}/openapi.json`;
  const first = await fetch(url);
  const { length } = await first.text();
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{43}"$/);
  expect(first.headers.get('cache-control')).toBe('no-cache');
  for (const authorization of ['', `Bearer ${key}`, 'Bearer unknown']) {
    for (const known of [etag, `W/${etag}`, `"other", W/${etag}`, `${etag},"other"`, '*', ' * ']) {
      const again = await fetch(url, { headers: { authorization, 'if-none-match': known } });
      expect([again.status, (await again.text()).length, again.headers.get('etag')]).toEqual([304, 0, etag]);
    }
    const other = await fetch(url, { headers: { authorization, 'if-none-match': '"other"' } });
    expect([other.status, (await other.text()).length]).toEqual([200, length]);
  }
});

test('a response with an unknown member does not match the document', async () => {
  const { key } = await world.tenant();
  await expect(world.rest('GET', '/v1/projects', { key })).resolves.toMatchObject({ status: 200 });
  expect(() =>
    world.checkAnswer('GET', '/v1/projects', 200, 'application/json', { projects: [], hash: 'x' }),
  ).toThrow(/additional properties/);
});

test('a response whose status or code the operation does not list does not match the document', () => {
  const check = (status: number, code: string) =>
    world.checkAnswer('GET', '/v1/keys/current', status, 'application/json', {
      error: { code, message: 'Why.', requestId: 'r' },
    });
  expect(() => check(403, 'forbidden')).not.toThrow();
  expect(() => check(403, 'plan_limit_exceeded')).toThrow(/code must be equal to one of the allowed values/);
  expect(() => check(409, 'in_use')).toThrow(/409, which docs\/contract\/openapi.json does not document/);
});
