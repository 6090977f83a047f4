import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { newId } from '../../src/platform/id.ts';
import { created, type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { timestamp } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
let conversations: string;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openDesignProject(world);
  conversations = `/v1/projects/${project.projectId}/conversations`;
});
afterAll(() => world.close());

const at = (id: string) => `/v1/conversations/${id}`;
const newAgent = async () =>
  created(await project.call('POST', `/v1/projects/${project.projectId}/agent-profiles`, { name: 'Night' }))
    .id;

/** Sets the timestamps back by an hour, so that any update shows. */
async function age(id: string): Promise<void> {
  await world.rows(
    `update conversations set created_at = created_at - interval '1 hour', updated_at = updated_at - interval '1 hour'
     where id = $1`,
    [id],
  );
}

const issuePaths = (error: { details: { issues: { path: string }[] } }) =>
  error.details.issues.map(({ path }) => path);

describe('creating', () => {
  test('returns 201 and exactly the record, with defaults filled in', async () => {
    const body = created(await project.create({ name: 'Reception' }));
    expect(body).toStrictEqual({
      id: expect.stringMatching(/^ccv[0-9a-v]{26}$/),
      projectId: project.projectId,
      name: 'Reception',
      description: null,
      kind: 'advanced',
      agentId: null,
      activeVersion: 1,
      createdAt: timestamp,
      updatedAt: body.createdAt,
    });
    expect((await project.call('GET', at(body.id))).body).toStrictEqual(body);
  });

  test('stores everything that was sent; the design becomes version 1, active', async () => {
    const agentId = await newAgent();
    const design = { schemaVersion: 'cd/1', entry: { stepId: 'bye' }, steps: { bye: { kind: 'end' } } };
    const sent = { name: 'N'.repeat(200), description: 'd'.repeat(5000), kind: 'advanced', agentId };
    const body = created(await project.create({ ...sent, design }));
    expect(body).toMatchObject(sent);
    expect(await project.versions(body.id)).toStrictEqual([
      { n: 1, tag: 'v1', isActive: true, createdAt: body.createdAt },
    ]);
    expect((await project.read(body.id, 1)).body).toStrictEqual(design);
  });

  test('starts with a greeting that discloses the AI if no design is given', async () => {
    const { body } = await project.read(await project.newConversation(), 1);
    const { compliance, ...design } = body;
    expect(design).toStrictEqual(starterDesign);
    expect(compliance.aiDisclosure.greeting).toMatchObject({ status: 'approved' });
  });

  test('of kind simple has version 1, active', async () => {
    const body = created(await project.create({ kind: 'simple' }));
    expect(body).toMatchObject({ kind: 'simple', activeVersion: 1 });
    expect(await project.versions(body.id)).toMatchObject([{ n: 1, tag: 'v1', isActive: true }]);
  });

  test.each<[what: string, body: object, paths: string[]]>([
    ['a missing name', { name: undefined }, ['/name']],
    ['an empty name', { name: '' }, ['/name']],
    ['a name too long', { name: 'N'.repeat(201) }, ['/name']],
    ['a description too long', { description: 'd'.repeat(5001) }, ['/description']],
    ['an unknown kind', { kind: 'graph' }, ['/kind']],
    ['an agentId that is not an id', { agentId: 'none' }, ['/agentId']],
    ['a design that is null', { design: null }, ['/design']],
    [
      'members of the record',
      { id: 'x', projectId: 'y', activeVersion: 2, createdAt: 'z' },
      ['/id', '/projectId', '/activeVersion', '/createdAt'],
    ],
    [
      'everything at once',
      { name: 7, kind: 1, design: { steps: [] } },
      ['/name', '/kind', '/design/steps', '/design/schemaVersion', '/design/entry'],
    ],
  ])('is refused with %s', async (_, body, paths) => {
    const error = refused(await project.create(body as Record<string, unknown>), 400, 'invalid_request');
    expect(issuePaths(error).toSorted()).toEqual(paths.toSorted());
    expect((await project.call('GET', conversations)).body).toEqual({ conversations: [] });
  });

  test('returns 404 for an agent profile of another project, or for an unknown one', async () => {
    const other = await openDesignProject(world);
    const foreign = created(
      await other.call('POST', `/v1/projects/${other.projectId}/agent-profiles`, { name: 'Night' }),
    ).id;
    const messages = [];
    for (const agentId of [foreign, newId('agentProfile'), newId('flow')]) {
      const { message } = refused(await project.create({ agentId }), 404, 'not_found');
      messages.push(message.replace(agentId, 'ID'));
    }
    expect(new Set(messages).size).toBe(1);
  });
});

describe('listing', () => {
  test('returns the records newest first, each once across pages', async () => {
    const bodies = [];
    for (let count = 0; count < 5; count++)
      bodies.unshift(created(await project.create({ name: `${count}` })));
    expect((await project.call('GET', conversations)).body).toStrictEqual({ conversations: bodies });
    for (const limit of [1, 2, 5, 6]) {
      const met = [];
      for (let cursor = ''; ; ) {
        const { body } = await project.call('GET', `${conversations}?limit=${limit}${cursor}`);
        met.push(...body.conversations);
        if (!('nextCursor' in body)) break;
        cursor = `&cursor=${body.nextCursor}`;
      }
      expect(met).toStrictEqual(bodies);
    }
  });

  test('returns 50 by default', async () => {
    await world.rows(
      `insert into conversations (project_id, id, name, kind, newest_version, active_version)
       select $1, 'ccv' || lpad(n::text, 26, '0'), 'C', 'simple', 1, 1 from generate_series(1, 60) as n`,
      [project.projectId],
    );
    const { body } = await project.call('GET', conversations);
    expect([body.conversations.length, typeof body.nextCursor]).toEqual([50, 'string']);
    expect((await project.call('GET', `${conversations}?limit=1000`)).body.conversations).toHaveLength(60);
    for (const query of ['limit=0', 'limit=1001', 'cursor=!', 'page=2'])
      refused(await project.call('GET', `${conversations}?${query}`), 400, 'invalid_request');
  });
});

describe('changing', () => {
  test('sets the given fields, keeps the others, and returns the record with the active design', async () => {
    const agentId = await newAgent();
    const before = created(await project.create({ description: 'Old' }));
    const { body: design } = await project.read(before.id, 1);
    await age(before.id);
    const aged = (await project.call('GET', at(before.id))).body;
    let now = aged;
    for (const change of [
      { name: 'New' },
      { description: null },
      { agentId },
      { agentId: null, name: 'Last' },
    ]) {
      const { status, body } = await project.call('PATCH', at(before.id), change);
      expect(status).toBe(200);
      const { design: answered, updatedAt, ...record } = body;
      const { updatedAt: _, ...rest } = { ...now, ...change };
      expect(record).toStrictEqual(rest);
      expect(answered).toStrictEqual(design);
      expect(updatedAt > aged.updatedAt).toBe(true);
      now = (await project.call('GET', at(before.id))).body;
      expect({ ...now, design }).toStrictEqual(body);
    }
  });

  test('nothing returns 200 and changes nothing', async () => {
    const { id } = created(await project.create());
    await age(id);
    const before = (await project.call('GET', at(id))).body;
    const { status, body } = await project.call('PATCH', at(id), {});
    expect(status).toBe(200);
    expect(body).toStrictEqual({ ...before, design: (await project.read(id, 1)).body });
    expect((await project.call('GET', at(id))).body).toStrictEqual(before);
  });

  test('returns the design of the active version, not of the newest', async () => {
    const id = await project.newConversation();
    const design = { schemaVersion: 'cd/1', entry: { stepId: 'bye' }, steps: { bye: { kind: 'end' } } };
    created(await project.write(id, design));
    expect((await project.call('PATCH', at(id), {})).body.design.entry).toEqual({ stepId: 'greeting' });
    await project.activate(id, 2);
    expect((await project.call('PATCH', at(id), {})).body.design).toStrictEqual(design);
  });

  test.each<[body: object, path: string]>([
    [{ name: '' }, '/name'],
    [{ name: null }, '/name'],
    [{ description: 'd'.repeat(5001) }, '/description'],
    [{ agentId: 7 }, '/agentId'],
    [{ kind: 'simple' }, '/kind'],
    [{ activeVersion: 2 }, '/activeVersion'],
    [{ design: starterDesign }, '/design'],
  ])('%j is refused', async (body, path) => {
    const id = await project.newConversation();
    expect(issuePaths(refused(await project.call('PATCH', at(id), body), 400, 'invalid_request'))).toEqual([
      path,
    ]);
  });

  test('to an unknown agent profile changes nothing', async () => {
    const id = await project.newConversation();
    const body = { name: 'Other', agentId: newId('agentProfile') };
    const { message } = refused(await project.call('PATCH', at(id), body), 404, 'not_found');
    expect(message).toContain(body.agentId);
    expect((await project.call('GET', at(id))).body.name).toBe('Reception');
  });
});

describe('the agent profile of a conversation', () => {
  test('is in use until nothing refers to it', async () => {
    const agentId = await newAgent();
    const flow = created(
      await project.call('POST', `/v1/projects/${project.projectId}/flows`, {
        name: 'Flow',
        flowSchema: {},
        agentProfileId: agentId,
      }),
    );
    const first = await project.newConversation({ name: 'First', agentId });
    const second = await project.newConversation({ name: 'Second', agentId });
    const remove = () => project.call('DELETE', `/v1/agent-profiles/${agentId}`);
    expect(refused(await remove(), 409, 'in_use').details).toStrictEqual({
      references: [
        { kind: 'flow', id: flow.id, name: 'Flow' },
        { kind: 'conversation', id: first, name: 'First' },
        { kind: 'conversation', id: second, name: 'Second' },
      ],
    });
    await project.call('DELETE', `/v1/flows/${flow.id}`);
    await project.call('PATCH', at(first), { agentId: null });
    expect(refused(await remove(), 409, 'in_use').details.references).toHaveLength(1);
    await project.call('DELETE', at(second));
    expect((await remove()).status).toBe(200);
  });
});

test('returns 404 from every operation for an id that is unknown, foreign or of another kind', async () => {
  const other = await openDesignProject(world);
  const foreign = await other.newConversation();
  for (const id of [foreign, newId('conversation'), newId('flow')]) {
    const answers = [
      await project.call('GET', at(id)),
      await project.call('PATCH', at(id), { name: 'Mine' }),
      await project.call('DELETE', at(id)),
      await project.call('GET', `${at(id)}/versions`),
      await project.read(id, 1),
      await project.write(id, starterDesign),
      await project.validate(id, starterDesign),
      await project.activate(id, 1),
    ];
    for (const answer of answers) refused(answer, 404, 'not_found');
  }
  refused(await project.call('GET', `/v1/projects/${other.projectId}/conversations`), 404, 'not_found');
  expect((await other.versions(foreign)).length).toBe(1);
});
