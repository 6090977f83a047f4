import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Access, accesses } from '../../src/operation/access.ts';
import { honoursIdempotencyKey } from '../../src/operation/idempotency.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';
import { arrangeIn } from './arrange.ts';
import { type Door, type Outcome, openDoor, refusal, success, wordsOf } from './doors.ts';
import { exampleInputs, exampleOf } from './examples.ts';
import { toolNamed, tools } from './registry.ts';

/** REST, and MCP over HTTP: every transport passes the same key and credential on. */
const doorNames = ['REST', 'modern http'] as const;
type DoorName = (typeof doorNames)[number];

/** What the credentials of others may do, from nothing to all that the first one may. */
const heldByOthers: readonly (readonly Access[])[] = [
  ...accesses.map((_, count) => accesses.slice(0, count + 1)),
  ...accesses.map((access) => [access]),
];

let world: World;
let tenant: Tenant;
/** The secrets that this server has made. */
const minted: string[] = [];

beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
  recordMinted(world);
});
afterAll(() => world.close());
// They are counted, and nobody uses them here.
beforeEach(() => world.rows('update uploads set expires_at = now()'));

/** Notes each secret that a service makes: services that make one are called `mint…`, and one opens a room. */
function recordMinted({ core }: World): void {
  const services = core.runtime.services as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const [name, make] of Object.entries(services)) {
    if (!name.startsWith('mint') && name !== 'openRoom') continue;
    services[name] = (...given) => {
      const made = make(...given);
      Promise.resolve(made).then(noteSecrets, () => undefined);
      return made;
    };
  }
}

function noteSecrets(made: unknown): void {
  if (typeof made === 'string') minted.push(made);
  const { text, url, token } = made as Record<string, unknown>;
  for (const secret of [text, url, token]) if (typeof secret === 'string') minted.push(secret);
}

const repeatable = tools.filter(honoursIdempotencyKey);

interface Other {
  readonly held: string;
  readonly keyId: string;
  readonly door: Door;
}

async function others(name: DoorName): Promise<Other[]> {
  const keys = heldByOthers.map(async (access) => {
    const { keyId, key } = await world.key(tenant.projectId, { access });
    return { held: access.join(' '), keyId, door: await openDoor(world, name, key) };
  });
  const callers = await Promise.all(keys);
  if (name !== 'REST') return callers;
  const { keyId, key } = await world.key(tenant.projectId, { type: 'publishable' });
  return [...callers, { held: 'publishable', keyId, door: await openDoor(world, name, key) }];
}

const auditRowsOf = (keyId: string) =>
  world.core.knex('audit_log').where({ key_id: keyId }).count<{ count: number }[]>();
const countOf = async (keyId: string) => Number((await auditRowsOf(keyId))[0]?.count);

/** What a caller learns from an outcome, without what differs between two equal calls. */
function learned({ error, value }: Outcome): unknown {
  return error ? wordsOf(error) : Object.keys(value as object).toSorted();
}

function secretsIn(value: unknown): string[] {
  const text = JSON.stringify(value) ?? '';
  return minted.filter((secret) => text.includes(secret));
}

describe.each(doorNames)('over %s, another credential', (name) => {
  let callers: Other[];
  beforeAll(async () => {
    callers = await others(name);
  });

  test.each(repeatable)(
    'that repeats the Idempotency-Key of $name gets what it gets for a new one',
    async (tool) => {
      const owner = await openDoor(world, name, tenant.key);
      const [given] = await exampleInputs(tool, [owner], arrangeIn(world, tenant));
      const input = given?.input ?? {};
      const used = randomUUID();
      const first = success(await owner.call(tool, input, used));
      for (const { held, keyId, door } of callers) {
        const before = await countOf(keyId);
        const repeated = await door.call(tool, input, used);
        const between = await countOf(keyId);
        const fresh = await door.call(tool, input, randomUUID());
        expect(learned(repeated), held).toEqual(learned(fresh));
        expect([between - before, (await countOf(keyId)) - between], held).toEqual(
          repeated.error ? [0, 0] : [1, 1],
        );
        expect(
          secretsIn(repeated).filter((secret) => secretsIn(first).includes(secret)),
          held,
        ).toEqual([]);
      }
    },
  );
});

describe.each(doorNames)('over %s, a response', (name) => {
  test.each(repeatable)('of $name is stored without a secret, and replayed without one', async (tool) => {
    const owner = await openDoor(world, name, tenant.key);
    const [given] = await exampleInputs(tool, [owner], arrangeIn(world, tenant));
    const input = given?.input ?? {};
    const used = randomUUID();
    const first = success(await owner.call(tool, input, used)) as Record<string, unknown>;
    const [row] = await world.rows('select answer::text as answer from idempotency_keys where key like $1', [
      `% ${used}`,
    ]);
    expect(row?.['answer']).toMatch(/^\{/);
    expect(secretsIn(row)).toEqual([]);
    const { secretOutput } = tool.special;
    const again = await owner.call(tool, input, used);
    expect(secretsIn(again)).toEqual([]);
    if (secretsIn(first).length === 0) {
      expect(secretOutput).toBeUndefined();
      expect(success(again)).toEqual(first);
      return;
    }
    if (!secretOutput) throw new Error(`${tool.name} shows a secret that it does not declare`);
    const { [secretOutput.member]: secret, ...rest } = first;
    expect([secretsIn(secret).length > 0, secretsIn(rest)]).toEqual([true, []]);
    const { message, details } = refusal(again, 'secret_shown_once');
    expect(message).toContain(secretOutput.instead);
    expect(details?.['result']).toEqual(name === 'REST' ? rest : expect.anything());
  });
});

test('every operation that shows a secret declares it', async () => {
  const declared = tools.filter(({ special }) => special.secretOutput).map(({ name }) => name);
  const door = await openDoor(world, 'REST', tenant.key);
  const shown: string[] = [];
  for (const tool of tools) {
    const input = await exampleOf(tool).input(arrangeIn(world, tenant));
    const known = minted.length;
    const value = success(await door.call(tool, input));
    const text = JSON.stringify(value) ?? '';
    if (minted.slice(known).some((secret) => text.includes(secret))) shown.push(tool.name);
  }
  expect(shown).toEqual(declared);
  expect(shown.length).toBeGreaterThanOrEqual(5);
});

describe('a credential that repeats its own Idempotency-Key', () => {
  const create = toolNamed('create_restricted_key');
  const input = () => ({ projectId: tenant.projectId, name: 'Deploy', access: ['publish'] });

  test.each([
    ['is revoked', "status = 'revoked'"],
    ['has expired', 'expires_at = now()'],
  ])('gets 401 if it %s by then', async (_, change) => {
    for (const tool of repeatable) {
      const { keyId, key } = await world.key(tenant.projectId);
      const door = await openDoor(world, 'REST', key);
      const given = await exampleOf(tool).input(arrangeIn(world, tenant));
      const used = randomUUID();
      success(await door.call(tool, given, used));
      await world.rows(`update api_keys set ${change} where id = $1`, [keyId]);
      refusal(await door.call(tool, given, used), 'unauthorized');
    }
  });

  test('gets what a new one gets if it may do less by then', async () => {
    const { keyId, key } = await world.key(tenant.projectId);
    const narrowed = await world.mcp('modern http', key, { access: 'read,draft' });
    const whole = await world.mcp('modern http', key);
    const call = async (client: typeof whole, idempotencyKey: string) => {
      const _meta = { 'parley/idempotencyKey': idempotencyKey };
      const { isError, content } = await client.callTool({ name: create.name, arguments: input(), _meta });
      return { isError: isError ?? false, answer: JSON.parse(content[0]?.text ?? '') };
    };
    const used = randomUUID();
    const first = await call(whole, used);
    expect(first.isError).toBe(false);
    for (const idempotencyKey of [used, randomUUID()]) {
      const { isError, answer } = await call(narrowed, idempotencyKey);
      expect([isError, answer.error.code]).toEqual([true, 'forbidden']);
      expect(answer.error.message).toBe('access needs the access "publish"; this key has read, draft.');
    }
    expect(await countOf(keyId)).toBe(1);
  });
});
