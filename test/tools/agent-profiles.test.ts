import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { builtInVoices } from '../../src/resources/voices/catalogue.ts';
import { openProject, type Project, pagesOf, timestamp } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: Project;
let profiles: string;

beforeAll(async () => {
  world = await openWorld();
  project = await openProject(world);
  profiles = `/v1/projects/${project.projectId}/agent-profiles`;
});
afterAll(() => world.close());

const content = {
  name: 'Reception',
  flowIds: [] as string[],
  isDefault: false,
  supportedInputLanguages: ['en', 'de-CH'],
  reasoningMode: 'fast',
  outputVoiceId: 'nova',
};
const create = (body: unknown = content) => project.call('POST', profiles, body);
const idOf = async (body?: unknown) => (await create(body)).body.id as string;
const read = (id: string) => project.call('GET', `/v1/agent-profiles/${id}`);
const replace = (id: string, body: unknown) => project.call('PUT', `/v1/agent-profiles/${id}`, body);

test('creates a profile with 201 and exactly its record, and reads the same record afterwards', async () => {
  const { status, body } = await create();
  expect(status).toBe(201);
  expect(body).toStrictEqual({
    id: expect.stringMatching(/^cap[0-9a-v]{26}$/),
    projectId: project.projectId,
    ...content,
    createdAt: timestamp,
    updatedAt: body.createdAt,
  });
  expect((await read(body.id)).body).toStrictEqual(body);
});

test('needs only a name to create a profile', async () => {
  expect((await create({ name: 'Sunny' })).body).toMatchObject({
    name: 'Sunny',
    flowIds: [],
    isDefault: false,
    supportedInputLanguages: [],
    reasoningMode: 'balanced',
    outputVoiceId: 'alloy',
  });
});

test('creates no profile without a name, or with a language that is not a tag of BCP 47', async () => {
  const languages = ['en', 'pt-BR', 'zh-Hant-TW', 'german', 'de_DE', ''];
  const { status, body } = await create({ name: '', supportedInputLanguages: languages });
  const paths = body.error.details.issues.map(({ path }: { path: string }) => path);
  expect({ status, paths }).toStrictEqual({ status: 400, paths: ['/name'] });
  const named = await create({ name: 'Sunny', supportedInputLanguages: languages });
  expect(named.body.error.details.issues).toEqual(
    [3, 4, 5].map((index) => ({
      in: 'body',
      path: `/supportedInputLanguages/${index}`,
      message: 'Expected a language tag of BCP 47, such as en or pt-BR.',
    })),
  );
});

test('lists the profiles of its own project, newest first, page by page', async () => {
  const own = await openProject(world);
  const route = `/v1/projects/${own.projectId}/agent-profiles`;
  const ids: string[] = [];
  for (let count = 0; count < 5; count++)
    ids.unshift((await own.call('POST', route, { name: `P${count}` })).body.id);
  const whole = (await own.call('GET', route)).body;
  expect(whole.agentProfiles.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(Object.keys(whole)).toEqual(['agentProfiles']);
  const pages = await pagesOf(own, route, 2);
  expect(pages.map(({ agentProfiles }) => agentProfiles.length)).toEqual([2, 2, 1]);
  expect(pages.flatMap(({ agentProfiles }) => agentProfiles)).toEqual(whole.agentProfiles);
});

describe('updating', () => {
  const update = (id: string, body: unknown, of = project) =>
    of.call('PATCH', `/v1/agent-profiles/${id}`, body);

  test('changes what is given, and keeps the rest', async () => {
    const flowIds = [await project.newFlow(), await project.newFlow()];
    const { body: before } = await create({ ...content, flowIds });
    const { status, body } = await update(before.id, { outputVoiceId: 'onyx' });
    expect(status).toBe(200);
    expect(body).toStrictEqual({ ...before, outputVoiceId: 'onyx', updatedAt: timestamp });
    expect(body.updatedAt > before.updatedAt).toBe(true);
    const reordered = await update(before.id, {
      flowIds: [flowIds[1], flowIds[0]],
      supportedInputLanguages: [],
    });
    const after = { ...body, flowIds: [flowIds[1], flowIds[0]], supportedInputLanguages: [] };
    expect(reordered.body).toStrictEqual({ ...after, updatedAt: reordered.body.updatedAt });
    expect((await read(before.id)).body).toStrictEqual(reordered.body);
  });

  test('changes nothing without a member, not even updatedAt', async () => {
    const { body: before } = await create();
    expect(await update(before.id, {})).toMatchObject({ status: 200, body: before });
  });

  test('takes the default from the other profile', async () => {
    const first = await idOf({ name: 'First', isDefault: true });
    const second = await idOf();
    expect((await update(second, { isDefault: true })).body.isDefault).toBe(true);
    expect((await read(first)).body.isDefault).toBe(false);
  });

  test('refuses an empty name, null, a wrong language, and records of another project', async () => {
    const other = await openProject(world);
    const { body: before } = await create();
    for (const wrong of [
      { name: '' },
      { name: null },
      { supportedInputLanguages: ['german'] },
      { id: before.id },
    ])
      expect((await update(before.id, wrong)).body.error.code).toBe('invalid_request');
    for (const unknown of [{ flowIds: [await other.newFlow()] }, { outputVoiceId: newId('voice') }])
      expect((await update(before.id, unknown)).body.error.code).toBe('not_found');
    expect((await update(before.id, { name: 'Taken' }, other)).body.error.code).toBe('not_found');
    expect((await read(before.id)).body).toStrictEqual(before);
  });
});

describe('replacing', () => {
  test('sets every member and updatedAt, and keeps the rest', async () => {
    const { body: before } = await create();
    const fresh = {
      name: 'Night',
      flowIds: [await project.newFlow()],
      isDefault: true,
      supportedInputLanguages: [],
      reasoningMode: 'deep',
      outputVoiceId: 'onyx',
    };
    const { status, body } = await replace(before.id, fresh);
    expect(status).toBe(200);
    const { id, projectId, createdAt } = before;
    expect(body).toStrictEqual({ id, projectId, createdAt, ...fresh, updatedAt: timestamp });
    expect(body.updatedAt > before.updatedAt).toBe(true);
    expect((await read(id)).body).toStrictEqual(body);
  });

  test('takes any name and languages, as the contract says', async () => {
    const loose = { ...content, name: '', supportedInputLanguages: ['', 'german'] };
    expect((await replace(await idOf(), loose)).body).toMatchObject(loose);
  });

  test.each(Object.keys(content))('requires %s', async (member) => {
    const id = await idOf();
    const { status, body } = await replace(id, { ...content, [member]: undefined });
    expect(status).toBe(400);
    expect(body.error.details.issues).toEqual([{ in: 'body', path: `/${member}`, message: 'Is required.' }]);
  });

  test('names every missing member at once', async () => {
    const { body } = await replace(await idOf(), {});
    const paths = body.error.details.issues.map(({ path }: { path: string }) => path);
    expect(new Set(paths)).toEqual(new Set(Object.keys(content).map((member) => `/${member}`)));
  });

  test('accepts the record as it was read, and ignores changes of read-only members', async () => {
    const { body: before } = await create();
    const again = await replace(before.id, before);
    expect(again.status).toBe(200);
    expect(again.body).toStrictEqual({ ...before, updatedAt: again.body.updatedAt });
    const forged = {
      ...before,
      id: newId('agentProfile'),
      projectId: newId('project'),
      createdAt: '2000-01-01T00:00:00.000Z',
      updatedAt: null,
    };
    const { status, body } = await replace(before.id, forged);
    expect(status).toBe(200);
    expect(body).toStrictEqual({ ...before, updatedAt: body.updatedAt });
    expect(body.updatedAt).not.toBeNull();
  });

  test('rejects unknown members; in a creation, the read-only ones too', async () => {
    const { body: before } = await create();
    const unknown = await replace(before.id, { ...content, organizationId: 'x' });
    expect(unknown.body.error.details.issues).toMatchObject([{ in: 'body', path: '/organizationId' }]);
    for (const member of ['id', 'projectId', 'createdAt', 'updatedAt', 'status'])
      expect((await create({ ...content, [member]: before[member] ?? 'x' })).status).toBe(400);
    expect((await read(before.id)).body).toEqual(before);
  });

  test('returns 404 for a profile that is missing or of another project', async () => {
    const other = await openProject(world);
    const foreign = await other.newAgentProfile();
    for (const id of [newId('agentProfile'), foreign, newId('flow')]) {
      expect((await replace(id, content)).status).toBe(404);
      expect((await read(id)).status).toBe(404);
    }
    expect((await other.call('GET', `/v1/agent-profiles/${foreign}`)).body.name).toBe('Profile');
  });
});

test.each([
  ['name', ['', 'ü'.repeat(10_000)], ['x'.repeat(10_001), null, 7]],
  ['reasoningMode', ['', 'fast', 'balanced', 'deep', 'whatever else'], ['x'.repeat(10_001), null, {}]],
  ['isDefault', [true, false], ['true', 1, null]],
  ['supportedInputLanguages', [[], ['en'], ['en', 'en', 'x-klingon']], ['en', [1], [null], null, {}]],
  ['flowIds', [[]], ['cfl0000000', [1], [null], null, {}]],
  ['outputVoiceId', builtInVoices.map(({ id }) => id), [null, 7, ['alloy']]],
])('%s', async (member, good, bad) => {
  const id = await idOf();
  for (const value of good) {
    const { status, body } = await replace(id, { ...content, [member]: value });
    expect([status, body[member]]).toEqual([200, value]);
  }
  for (const value of bad)
    for (const { status, body } of [
      await replace(id, { ...content, [member]: value }),
      await create({ ...content, [member]: value }),
    ]) {
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
      expect(body.error.details.issues[0].path).toMatch(new RegExp(`^/${member}`));
    }
});

test.each(['', 'nobody', 'Alloy', 'alloy ', newId('voice'), newId('flow')])(
  'a voice %j that is neither in the catalogue nor in the project is 404',
  async (outputVoiceId) => {
    const { body: before } = await create();
    for (const answer of [
      await create({ ...content, outputVoiceId }),
      await replace(before.id, { ...content, name: 'Changed', outputVoiceId }),
    ])
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
    expect((await read(before.id)).body).toEqual(before);
  },
);

describe('the default', () => {
  const defaults = async (own: Project) => {
    const { body } = await own.call('GET', `/v1/projects/${own.projectId}/agent-profiles`);
    return body.agentProfiles
      .filter(({ isDefault }: { isDefault: boolean }) => isDefault)
      .map(({ id }: { id: string }) => id);
  };

  test('moves from one profile of a project to another, and updatedAt of both changes', async () => {
    const own = await openProject(world);
    const make = async (isDefault: boolean) =>
      (await own.call('POST', `/v1/projects/${own.projectId}/agent-profiles`, { name: 'P', isDefault })).body;
    const put = (id: string, isDefault: boolean) =>
      own.call('PUT', `/v1/agent-profiles/${id}`, { ...content, isDefault });
    const [first, second, third] = [await make(true), await make(true), await make(false)];
    expect(await defaults(own)).toEqual([second.id]);
    const cleared = (await own.call('GET', `/v1/agent-profiles/${first.id}`)).body;
    expect(cleared.updatedAt > first.updatedAt).toBe(true);

    expect((await put(third.id, true)).body.isDefault).toBe(true);
    expect(await defaults(own)).toEqual([third.id]);
    await put(third.id, true);
    expect(await defaults(own)).toEqual([third.id]);
    await put(third.id, false);
    expect(await defaults(own)).toEqual([]);
  });

  test('of another project stays as it is', async () => {
    const [one, two] = [await openProject(world), await openProject(world)];
    for (const own of [one, two])
      await own.call('POST', `/v1/projects/${own.projectId}/agent-profiles`, { name: 'P', isDefault: true });
    expect([(await defaults(one)).length, (await defaults(two)).length]).toEqual([1, 1]);
  });

  test('stays if the replacement that would move it is rejected', async () => {
    const own = await openProject(world);
    const route = `/v1/projects/${own.projectId}/agent-profiles`;
    const { body: holder } = await own.call('POST', route, { name: 'P', isDefault: true });
    const refused = { ...content, isDefault: true, flowIds: [newId('flow')] };
    expect((await own.call('POST', route, refused)).status).toBe(404);
    expect((await own.call('PUT', `/v1/agent-profiles/${newId('agentProfile')}`, refused)).status).toBe(404);
    expect(await defaults(own)).toEqual([holder.id]);
  });
});
