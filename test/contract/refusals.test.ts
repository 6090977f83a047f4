import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { type Access, accesses } from '../../src/operation/access.ts';
import { hasBody, keepsUnknown, restName } from '../../src/operation/input.ts';
import { type Issue, jsonPointer } from '../../src/platform/errors.ts';
import { mintKey } from '../../src/resources/keys/key.ts';
import { mcpTransports, openWorld, type Tenant, type World } from '../helpers/world.ts';
import { arrangeIn } from './arrange.ts';
import { digestOf } from './digest.ts';
import { type Door, type ErrorBody, openDoor, openDoors, refusal, wordsOf } from './doors.ts';
import { inputsOnce } from './examples.ts';
import { toolNamed, tools } from './registry.ts';
import { everythingMissing, everythingWrong, namesIn, resolves, type WrongInput } from './wrong-input.ts';

let world: World;
let tenant: Tenant;
let doors: Door[];

beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant({ plan: 'enterprise' });
  doors = await openDoors(world, tenant.key);
});
afterAll(() => world.close());

const inputOf = inputsOnce(() => arrangeIn(world, tenant));

const guarded = tools.filter(({ access }) => access !== 'none');
const refusing = (wrong: (tool: McpTool) => WrongInput) =>
  tools.filter((tool) => wrong(tool).refused.length > 0);

describe('every problem of an input is reported at once, the same on every transport', () => {
  test.each(refusing(everythingWrong))('$name with every input wrong', (tool) =>
    expectRefusal(tool, everythingWrong(tool)),
  );

  test.each(refusing(everythingMissing))('$name with every input missing', (tool) =>
    expectRefusal(tool, everythingMissing(tool)),
  );

  test.each(tools.filter((tool) => !keepsUnknown(tool)))('$name with an input too many', async (tool) => {
    const input = { ...everythingWrong(tool).input, surplus: 1 };
    // Health and voices ignore unknown query parameters.
    const inQuery = !hasBody(tool) && (tool.envelope === 'detail' || tool.access === 'none');
    for (const door of inQuery ? doors.slice(1) : doors) {
      const issues = issuesOf(refusal(await door.call(tool, input), 'invalid_request'));
      const [surplus, ...more] = issues.filter(({ path }) => path === '/surplus');
      expect(surplus?.in, door.name).toBe(hasBody(tool) ? 'body' : 'querystring');
      expect(surplus?.message).toMatch(/^Is not known here/);
      expect(more).toEqual([]);
    }
  });
});

async function expectRefusal(tool: McpTool, { input, refused }: WrongInput): Promise<void> {
  const [rest, ...overMcp] = await Promise.all(
    doors.map(async (door) => refusal(await door.call(tool, input), 'invalid_request')),
  );
  if (!rest) throw new Error('REST is the first door');
  const issues = issuesOf(rest);
  expect(namesIn(issues).toSorted()).toEqual(refused.map((name) => restName(tool, name)).toSorted());
  expect(issues.filter((issue) => !resolves(tool, input, issue))).toEqual([]);
  const renamed = issues.map((issue) => byMcpNames(tool, issue));
  const lacking = (tool.mcp.required ?? []).filter((name) => input[name] === undefined);
  const onMcp = lacking.map((name) => ({
    in: 'body',
    path: jsonPointer([name]),
    message: 'Is required.',
  }));
  for (const error of overMcp) expect(issuesOf(error)).toEqual([...onMcp, ...renamed]);
}

function issuesOf(error: ErrorBody): readonly Issue[] {
  const { issues = [] } = (error.details ?? {}) as { issues?: readonly Issue[] };
  const [first, ...more] = issues;
  if (!first) throw new Error('an invalid_request has at least one issue');
  if (error.message) expect(error.message).toContain(`${first.in} ${first.path}: ${first.message}`);
  return [first, ...more];
}

/** The issue of REST as MCP reports it (`decisions#members`). MCP takes words for some numbers. */
function byMcpNames(tool: McpTool, issue: Issue): Issue {
  const [, first = '', ...rest] = issue.path.split('/');
  const name = Object.keys(tool.input.entries).find(
    (one) => jsonPointer([restName(tool, one)]) === `/${first}`,
  );
  if (name === undefined) return issue;
  const path = ['', name, ...rest].join('/');
  const isNumberOrWord = tool.numbersOrWords.includes(name) && issue.message === 'Expected number.';
  return {
    ...issue,
    path,
    ...(isNumberOrWord && { message: expect.stringMatching(/^Expected a number, /) }),
  };
}

describe('a key without the access of an operation', () => {
  const withoutAccess = new Map<Access, Promise<Door[]>>();
  const doorsWithout = (access: Access) => {
    const rest = accesses.filter((one) => one !== access);
    const opening =
      withoutAccess.get(access) ??
      world.key(tenant.projectId, { access: rest }).then(({ key }) => openDoors(world, key));
    withoutAccess.set(access, opening);
    return opening;
  };

  test.each(guarded)('cannot call $name on any transport', async (tool) => {
    const input = await inputOf(tool);
    const narrow = await doorsWithout(tool.access as Access);
    const before = await digestOf(world);
    const [rest, ...overMcp] = await Promise.all(
      narrow.map(async (door) => wordsOf(refusal(await door.call(tool, input), 'forbidden'))),
    );
    for (const error of overMcp) expect(error).toEqual(rest);
    expect(await digestOf(world)).toEqual(before);
  });

  test.each(guarded)('is refused $name before its input is checked', async (tool) => {
    const [rest] = await doorsWithout(tool.access as Access);
    if (rest) refusal(await rest.call(tool, { ...everythingWrong(tool).input, surplus: 1 }), 'forbidden');
  });
});

test.each(mcpTransports)(
  'a key that is revoked is refused everything over a connected %s',
  async (transport) => {
    const { key, keyId } = await world.key(tenant.projectId);
    const client = await world.mcp(transport, key);
    const callOf = async ({ name }: McpTool) => {
      // Over HTTP the endpoint rejects the key, and the client throws. Over stdio the call returns an error.
      const answer = await client.callTool({ name, arguments: {} }).catch(String);
      return JSON.stringify(answer).replaceAll('\\', '');
    };
    for (const tool of guarded) expect(await callOf(tool)).not.toContain('"code":"unauthorized"');
    await world.rows(`update api_keys set status = 'revoked' where id = $1`, [keyId]);
    for (const tool of guarded) expect(await callOf(tool)).toContain('"code":"unauthorized"');
  },
);

test.each(guarded.filter(({ special }) => !special.browsers))(
  'a publishable key is refused $name',
  async (tool) => {
    const { key } = await world.key(tenant.projectId, { type: 'publishable' });
    const rest = await openDoor(world, 'REST', key);
    refusal(await rest.call(tool, everythingWrong(tool).input), 'forbidden');
  },
);

describe('a credential that is not a key', () => {
  let credentials: (string | undefined)[];
  let words: unknown;

  beforeAll(async () => {
    const door = await openDoor(world, 'REST');
    words = wordsOf(refusal(await door.call(toolNamed('list_projects'), {}), 'unauthorized'));
    const revoked = await world.key(tenant.projectId);
    const revokedAndNarrow = await world.key(tenant.projectId, { access: ['run'] });
    // The keys succeed once, so that a cache of keys would still accept them.
    for (const { key } of [revoked, revokedAndNarrow]) await world.rest('GET', '/v1/projects', { key });
    await world.rows(`update api_keys set status = 'revoked' where id = any($1)`, [
      [revoked.keyId, revokedAndNarrow.keyId],
    ]);
    const unknown = mintKey('secret').text;
    const misspelt = `${unknown.slice(0, -1)}${unknown.endsWith('0') ? '1' : '0'}`;
    credentials = [undefined, 'garbage', unknown, misspelt, revoked.key, revokedAndNarrow.key];
  });

  test.each(guarded)('is refused $name with the same message, whatever the input', async (tool) => {
    const right = await inputOf(tool);
    const before = await digestOf(world);
    for (const credential of credentials) {
      const rest = await openDoor(world, 'REST', credential);
      for (const input of [right, everythingWrong(tool).input])
        expect(wordsOf(refusal(await rest.call(tool, input), 'unauthorized'))).toEqual(words);
    }
    expect(await digestOf(world)).toEqual(before);
  });
});
