import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import {
  created,
  type DesignProject,
  openDesignProject,
  refused,
  renamed,
} from '../helpers/design-project.ts';
import { pagesOf, timestamp } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
});
afterAll(() => world.close());

const at = (id: string) => `/v1/conversations/${id}`;

/** A conversation with versions 1 to `count`. The greeting of each contains its number. */
async function conversationOf(count: number): Promise<string> {
  const id = await project.newConversation({ design: renamed(starterDesign, '1') });
  for (let n = 2; n <= count; n++) created(await project.write(id, renamed(starterDesign, String(n))));
  return id;
}

describe('the versions of a conversation', () => {
  test('are listed as exact summaries, highest number first', async () => {
    const id = await conversationOf(3);
    const { body } = await project.call('GET', `${at(id)}/versions`);
    expect(body).toStrictEqual({
      versions: [3, 2, 1].map((n) => ({ n, tag: `v${n}`, isActive: n === 1, createdAt: timestamp })),
    });
  });

  test('are each listed once across pages, whatever the limit', async () => {
    const id = await conversationOf(11);
    for (const limit of [1, 3, 10, 11, 12]) {
      const pages = await pagesOf(project, `${at(id)}/versions`, limit);
      expect(pages).toHaveLength(Math.ceil(11 / limit));
      const numbers = pages.flatMap(({ versions }) => versions.map(({ n }: { n: number }) => n));
      expect(numbers).toStrictEqual(Array.from({ length: 11 }, (_, index) => 11 - index));
    }
    for (const query of [
      'limit=0',
      'limit=1001',
      'limit=1.5',
      'cursor=x',
      'cursor=0',
      'cursor=01',
      'order=asc',
    ])
      refused(await project.call('GET', `${at(id)}/versions?${query}`), 400, 'invalid_request');
  });

  test('never change: each reads as it was written', async () => {
    const id = await conversationOf(4);
    await project.activate(id, 3);
    for (const n of [1, 2, 3, 4])
      expect((await project.read(id, n)).body.steps.greeting.name).toBe(String(n));
  });
});

describe('activation', () => {
  test('returns the record with the design of that version, which is the only active one', async () => {
    const id = await conversationOf(3);
    await world.rows(`update conversations set updated_at = updated_at - interval '1 hour' where id = $1`, [
      id,
    ]);
    const before = (await project.call('GET', at(id))).body;
    const { status, body } = await project.activate(id, 2);
    expect(status).toBe(200);
    const { design, ...record } = body;
    expect(design).toStrictEqual((await project.read(id, 2)).body);
    expect(record).toStrictEqual({ ...before, activeVersion: 2, updatedAt: timestamp });
    expect(record.updatedAt > before.updatedAt).toBe(true);
    expect((await project.call('GET', at(id))).body).toStrictEqual(record);
    expect((await project.versions(id)).map(({ isActive }) => isActive)).toEqual([false, true, false]);
  });

  test('of the active version changes nothing', async () => {
    const id = await conversationOf(2);
    await project.activate(id, 2);
    await world.rows(`update conversations set updated_at = updated_at - interval '1 hour' where id = $1`, [
      id,
    ]);
    const before = (await project.call('GET', at(id))).body;
    for (let time = 0; time < 2; time++) {
      const { status, body } = await project.activate(id, 2);
      expect(status).toBe(200);
      expect(body).toStrictEqual({ ...before, design: (await project.read(id, 2)).body });
    }
    expect((await project.call('GET', at(id))).body).toStrictEqual(before);
  });

  test('of an older version rolls back', async () => {
    const id = await conversationOf(3);
    await project.activate(id, 3);
    const { body } = await project.activate(id, 1);
    expect(body).toMatchObject({ activeVersion: 1, design: { steps: { greeting: { name: '1' } } } });
    created(await project.write(id, starterDesign));
    expect((await project.versions(id)).map(({ n, isActive }) => [n, isActive])).toEqual([
      [4, false],
      [3, false],
      [2, false],
      [1, true],
    ]);
  });

  test('accepts no body or an empty object', async () => {
    const id = await project.newConversation();
    const route = `${at(id)}/versions/1/activate`;
    expect((await project.call('POST', route)).status).toBe(200);
    expect((await project.call('POST', route, {})).status).toBe(200);
    expect((await project.call('POST', route, { tag: 'x' })).status).toBe(400);
  });

  test('of different versions at once leaves exactly one active', async () => {
    const id = await conversationOf(6);
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => project.activate(id, n)));
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
      expect((await project.versions(id)).filter(({ isActive }) => isActive)).toHaveLength(1);
    }
  });
});

describe('the number of a version', () => {
  const route = {
    read_design: (id: string, n: string) => project.read(id, n),
    activate_conversation_version: (id: string, n: string) => project.activate(id, n),
  };

  test.each(Object.keys(route) as (keyof typeof route)[])(
    'is checked against its bounds by %s',
    async (name) => {
      const id = await project.newConversation();
      for (const n of ['1', '%31']) expect((await route[name](id, n)).status).toBe(200);
      for (const n of ['2', '2147483648', '9007199254740991'])
        expect(refused(await route[name](id, n), 404, 'not_found').message).toContain(n);
      for (const n of [
        '0',
        '-1',
        '01',
        '1.0',
        '1.5',
        '1e0',
        '+1',
        '0x1',
        'a',
        '%20',
        'null',
        '9007199254740992',
        '9007199254740993',
        '99999999999999999999',
      ]) {
        const { details } = refused(await route[name](id, n), 400, 'invalid_request');
        expect(details.issues, n).toMatchObject([{ in: 'params', path: '/n' }]);
      }
    },
  );

  test('is checked against the same bounds over MCP, under the name that MCP uses', async () => {
    const id = await project.newConversation();
    const client = await world.mcp('modern http', project.key);
    for (const name of Object.keys(route))
      for (const [n, code] of [
        [9007199254740991, 'not_found'],
        [9007199254740992, 'invalid_request'],
        [0, 'invalid_request'],
        [1.5, 'invalid_request'],
        ['1', 'invalid_request'],
      ] as const) {
        const result = await client.callTool({ name, arguments: { conversationId: id, version: n } });
        expect(JSON.parse(result.content[0]?.text ?? '').error, `${name} ${n}`).toMatchObject({
          code,
          ...(code === 'invalid_request' && { details: { issues: [{ path: '/version' }] } }),
        });
      }
  });
});
