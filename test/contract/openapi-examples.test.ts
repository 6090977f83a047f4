import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restOperations } from '../../src/environment/toolsets.ts';
import { toolsets } from '../../tools/index.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { type RecordedExchange, recordExchange } from './recorded-exchange.ts';

const file = new URL('../../src/transports/rest/openapi-examples.json', import.meta.url);
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, RecordedExchange>;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test('the OpenAPI document shows a real exchange of every operation', async () => {
  const exchanges: Record<string, RecordedExchange> = {};
  for (const tools of Object.values(restOperations(toolsets))) {
    const recordings = await Promise.all(tools.map((tool) => recordExchange(world, tool)));
    for (const [index, { name }] of tools.entries()) exchanges[name] = recordings[index] ?? {};
  }
  if (process.env['UPDATE_EXAMPLES'] === '1') writeFileSync(file, `${JSON.stringify(exchanges, null, 2)}\n`);
  else expect(recorded, 'to accept the difference: npm run record').toEqual(exchanges);
});
