import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issuesOf, openProject, type Project } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: Project;
beforeAll(async () => {
  world = await openWorld();
  project = await openProject(world);
});
afterAll(() => world.close());

const pathsOf = async (type: 'simple' | 'graph', flowSchema: unknown) =>
  (await issuesOf(project, type, flowSchema)).map(({ path }) => path);

/** A simple flow with every member. */
const complete = {
  greeting: 'Hello',
  instructions: 'Be brief.',
  language: 'en',
  languages: ['en', 'de'],
  persona: { name: 'Sunny', role: 'receptionist', tone: 'warm' },
  skills: [
    { key: 'booking', enabled: true, settings: { days: 3, nested: { deep: [null] } } },
    { key: 'faq' },
  ],
  questions: [
    { key: 'name', prompt: 'Who are you?', required: true },
    { key: 'why', prompt: 'Why?' },
  ],
  faq: [{ question: 'When?', answer: 'Now.' }],
  handoff: { number: '+15550100', when: 'asked' },
  closing: 'Bye',
};

describe('a value that is not an object', () => {
  test.each(['simple', 'graph'] as const)('is an invalid %s configuration', async (type) => {
    for (const flowSchema of [null, [], [{}], 'text', '', 0, 1.5, true, false])
      expect(await pathsOf(type, flowSchema), JSON.stringify(flowSchema)).toStrictEqual(['']);
  });

  test('is rejected for a version as for a flow', async () => {
    const id = await project.newFlow();
    for (const flowSchema of [null, [], 'text', { nonsense: 1 }]) {
      const { status, body } = await project.call('POST', `/v1/flows/${id}/versions`, { flowSchema });
      expect({ status, code: body.error.code }).toStrictEqual({ status: 422, code: 'flow_schema_invalid' });
    }
    expect((await project.call('POST', `/v1/flows/${id}/versions`, {})).status).toBe(400);
    expect((await project.call('GET', `/v1/flows/${id}/versions`)).body.versions).toHaveLength(1);
  });
});

describe('the simple format', () => {
  test('accepts all members, each alone, and none', async () => {
    const one = Object.entries(complete).map(([name, value]) => ({ [name]: value }));
    for (const flowSchema of [complete, {}, ...one, { persona: {} }, { skills: [], questions: [], faq: [] }])
      expect(await issuesOf(project, 'simple', flowSchema)).toStrictEqual([]);
  });

  test('applies to later versions of the flow too', async () => {
    const simple = await project.newFlow({ type: 'simple' });
    const graph = await project.newFlow({ type: 'graph' });
    const store = (id: string, flowSchema: unknown) =>
      project.call('POST', `/v1/flows/${id}/versions`, { flowSchema });
    expect((await store(simple, { nodes: [] })).status).toBe(422);
    expect((await store(graph, { nodes: [] })).status).toBe(201);
    expect((await store(graph, { greeting: 1 })).status).toBe(201);
  });

  const text = [1, true, null, [], {}];
  const object = [1, true, null, 'text'];
  const list = [1, true, null, 'text', {}];
  test.each([
    ['/greeting', (wrong: unknown) => ({ greeting: wrong }), text],
    ['/instructions', (wrong: unknown) => ({ instructions: wrong }), text],
    ['/language', (wrong: unknown) => ({ language: wrong }), text],
    ['/closing', (wrong: unknown) => ({ closing: wrong }), text],
    ['/languages', (wrong: unknown) => ({ languages: wrong }), list],
    ['/languages/1', (wrong: unknown) => ({ languages: ['en', wrong] }), text],
    ['/persona', (wrong: unknown) => ({ persona: wrong }), object],
    ['/persona/name', (wrong: unknown) => ({ persona: { name: wrong } }), text],
    ['/persona/role', (wrong: unknown) => ({ persona: { role: wrong } }), text],
    ['/persona/tone', (wrong: unknown) => ({ persona: { tone: wrong } }), text],
    ['/skills', (wrong: unknown) => ({ skills: wrong }), list],
    ['/skills/0', (wrong: unknown) => ({ skills: [wrong] }), object],
    ['/skills/0/key', (wrong: unknown) => ({ skills: [{ key: wrong }] }), text],
    [
      '/skills/0/enabled',
      (wrong: unknown) => ({ skills: [{ key: 'k', enabled: wrong }] }),
      [1, null, 'yes', []],
    ],
    ['/skills/0/settings', (wrong: unknown) => ({ skills: [{ key: 'k', settings: wrong }] }), object],
    ['/questions', (wrong: unknown) => ({ questions: wrong }), list],
    ['/questions/0', (wrong: unknown) => ({ questions: [wrong] }), object],
    ['/questions/0/prompt', (wrong: unknown) => ({ questions: [{ key: 'k', prompt: wrong }] }), text],
    ['/faq', (wrong: unknown) => ({ faq: wrong }), list],
    ['/faq/0', (wrong: unknown) => ({ faq: [wrong] }), object],
    ['/faq/0/answer', (wrong: unknown) => ({ faq: [{ question: 'q', answer: wrong }] }), text],
    ['/handoff', (wrong: unknown) => ({ handoff: wrong }), object],
    ['/handoff/number', (wrong: unknown) => ({ handoff: { number: wrong } }), text],
    ['/handoff/when', (wrong: unknown) => ({ handoff: { number: '1', when: wrong } }), text],
  ])('rejects every wrong type at %s', async (path, flowWith, wrongs) => {
    for (const wrong of wrongs)
      expect(await pathsOf('simple', flowWith(wrong)), JSON.stringify(wrong)).toStrictEqual([path]);
  });

  test('rejects a list in place of an object', async () => {
    const flowSchema = {
      persona: [],
      skills: [[], { key: 'k', settings: [] }],
      questions: [['a']],
      faq: [[]],
      handoff: [],
    };
    expect((await pathsOf('simple', flowSchema)).toSorted()).toStrictEqual([
      '/faq/0',
      '/handoff',
      '/persona',
      '/questions/0',
      '/skills/0',
      '/skills/1/settings',
    ]);
  });

  test('requires the required members of each item', async () => {
    const flowSchema = { skills: [{}], questions: [{ required: true }], faq: [{}], handoff: {} };
    expect((await pathsOf('simple', flowSchema)).toSorted()).toStrictEqual([
      '/faq/0/answer',
      '/faq/0/question',
      '/handoff/number',
      '/questions/0/key',
      '/questions/0/prompt',
      '/skills/0/key',
    ]);
  });

  const known = {
    '': Object.keys(complete),
    '/persona': ['name', 'role', 'tone'],
    '/skills/0': ['key', 'enabled', 'settings'],
    '/questions/0': ['key', 'prompt', 'required'],
    '/faq/0': ['question', 'answer'],
    '/handoff': ['number', 'when'],
  };
  const withUnknown = (name: string) => ({
    [name]: 1,
    persona: { [name]: {} },
    skills: [{ key: 'k', [name]: null }],
    questions: [{ key: 'k', prompt: 'p', [name]: [] }],
    faq: [{ question: 'q', answer: 'a', [name]: 'x' }],
    handoff: { number: '1', [name]: true },
  });

  test.each([
    'nonsense',
    'Greeting',
    'a/b~c',
    '',
    'toString',
    'hasOwnProperty',
    'constructor',
    'prototype',
    'length',
  ])('rejects a member named "%s" at every level at once, and names the known ones', async (name) => {
    const escaped = name.replaceAll('~', '~0').replaceAll('/', '~1');
    const issues = await issuesOf(project, 'simple', withUnknown(name));
    expect(new Map(issues.map(({ path, message }) => [path, message]))).toStrictEqual(
      new Map(
        Object.entries(known).map(([level, names]) => [
          `${level}/${escaped}`,
          expect.stringContaining(names.join(', ')),
        ]),
      ),
    );
  });

  test('reports all problems at once', async () => {
    const flowSchema = {
      ...withUnknown('nonsense'),
      greeting: 5,
      languages: [1, 'de', 2],
      closing: null,
      other: 1,
    };
    expect((await pathsOf('simple', flowSchema)).toSorted()).toStrictEqual([
      '/closing',
      '/faq/0/nonsense',
      '/greeting',
      '/handoff/nonsense',
      '/languages/0',
      '/languages/2',
      '/nonsense',
      '/other',
      '/persona/nonsense',
      '/questions/0/nonsense',
      '/skills/0/nonsense',
    ]);
  });
});

describe('a greeting that deceives the caller', () => {
  const human = 'Hello, this is Anna, a human receptionist.';

  test.each([human, 'Hello, I am not an AI.', 'Guten Tag, ich bin ein echter Mensch.'])(
    'is invalid: %s',
    async (greeting) => {
      expect(await pathsOf('simple', { greeting })).toStrictEqual(['/greeting']);
      const nodes = [
        { id: 'bye', text: 'Bye.' },
        { id: 'hello', say: greeting },
      ];
      expect(await pathsOf('graph', { entry: 'hello', nodes })).toStrictEqual(['/nodes/1/say']);
    },
  );

  test('is invalid in a new version too, and a greeting that says nothing about AI is not', async () => {
    const flowId = await project.newFlow({ flowSchema: { greeting: 'Hello, how can I help you?' } });
    const route = `/v1/flows/${flowId}/versions`;
    const answer = await project.call('POST', route, { flowSchema: { greeting: human } });
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'flow_schema_invalid' } } });
  });
});
