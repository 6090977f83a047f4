import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ErrorCode, errorStatus, ToolError } from '../../src/errors.ts';
import { kindOfId, newId } from '../../src/id.ts';
import { failureOf } from '../../src/mcp/result.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';
import { arrangeIn } from './arrange.ts';
import { type Door, openDoor, refusal, success } from './doors.ts';
import { exampleOf, inputsWithIds } from './examples.ts';
import { idAt, placesOf, withIdAt } from './references.ts';
import { toolNamed, tools } from './registry.ts';
import { toolNamesIn, unknownNamesIn } from './tool-names.ts';

let world: World;
let tenant: Tenant;
let door: Door;

beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant({ plan: 'enterprise' });
  door = await openDoor(world, 'modern http', tenant.key);
});
afterAll(() => world.close());

const inputAt = inputsWithIds(() => arrangeIn(world, tenant));

describe('the hint beside "not found"', () => {
  test.each(placesOf(tools))('of $name names a tool whose answer shows such ids', async (place) => {
    const { tool, reference } = place;
    const input = await inputAt(place);
    const outcome = await door.call(tool, withIdAt(input, reference.path, newId(reference.name)));
    refusal(outcome, 'not_found');
    const { hint = '' } = outcome;
    expect(unknownNamesIn(hint), hint).toEqual([]);

    const [hinted] = toolNamesIn(hint);
    if (!hinted) throw new Error(`the hint names no tool: ${hint}`);
    const listing = toolNamed(hinted);
    const answer = success(
      await door.call(listing, await exampleOf(listing).input(arrangeIn(world, tenant))),
    );
    const kinds = JSON.stringify(answer)
      .match(/\bc[0-9a-z]{6,}\b/g)
      ?.map(kindOfId);
    expect(kinds).toContain(reference.name);
  });

  test.each(placesOf(tools))('of $name tells an id of another kind from the one wanted', async (place) => {
    const { tool, reference } = place;
    const input = await inputAt(place);
    const other = reference.name === 'project' ? tenant.keyId : tenant.projectId;
    const { hint } = await door.call(tool, withIdAt(input, reference.path, other));
    expect(hint).toContain(`${other} is the id of a ${reference.name === 'project' ? 'key' : 'project'}`);
    expect(hint).toContain(idAt(input, place).slice(0, 3));
  });
});

test.each(Object.keys(errorStatus) as ErrorCode[])('the hint of %s names only tools that exist', (code) => {
  const { hint } = failureOf(new ToolError(code, 'Refused.'), 'request');
  expect(hint).toMatch(/\S/);
  expect(unknownNamesIn(hint)).toEqual([]);
});
