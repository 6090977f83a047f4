import * as v from 'valibot';
import { afterEach, expect, test, vi } from 'vitest';
import { defineTool } from '../../../src/environment/define-tool.ts';
import type { Toolsets } from '../../../src/environment/toolsets.ts';
import { openWorld, type World } from '../../helpers/world.ts';

const broken = defineTool({
  name: 'break_here',
  title: 'Break',
  description: 'Fails.',
  rest: { method: 'GET', path: '/v1/broken' },
  input: v.strictObject({}),
  output: v.strictObject({}),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  handler: () => Promise.reject(new Error('outer', { cause: new Error('the pipe is rusty') })),
});

let world: World;
afterEach(async () => {
  vi.restoreAllMocks();
  await world?.close();
});

test('the console of a test shows the cause of a 500', async () => {
  world = await openWorld({ toolsets: { broken: [broken] } satisfies Toolsets });
  const { key } = await world.tenant();
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { status } = await world.rest('GET', '/v1/broken', { key });
  expect(status).toBe(500);
  const text = printed.mock.calls.flat().join('\n');
  expect(text).toContain('request failed');
  expect(text).toContain('the pipe is rusty');
  expect(text).toContain('failure-causes.test.ts');
});
