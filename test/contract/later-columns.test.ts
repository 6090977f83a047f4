import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';
import { arrangeIn } from './arrange.ts';
import { openDoor, success } from './doors.ts';
import { exampleOf } from './examples.ts';
import { tools } from './registry.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  // One connection for each kind of statement: the second run then meets every statement that the first prepared.
  world = await openWorld({ connections: 3 });
  tenant = await world.tenant({ plan: 'enterprise' });
});
afterAll(() => world.close());

// In a rolling upgrade, the new release migrates the database while the old one still holds prepared statements.
test('every operation works on after a later release has added a column to each table', async () => {
  const door = await openDoor(world, 'REST', tenant.key);
  const failures = async () => {
    const failed: string[] = [];
    for (const tool of tools) {
      const input = await exampleOf(tool).input(arrangeIn(world, tenant));
      try {
        success(await door.call(tool, input));
      } catch (error) {
        failed.push(`${tool.name}: ${String(error)}`);
      }
    }
    return failed;
  };
  expect(await failures()).toEqual([]);
  await world.rows(`
    do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format('alter table %I add column later_release text', name);
      end loop;
    end $$`);
  expect(await failures()).toEqual([]);
});
