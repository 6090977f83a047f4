import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { templates } from '../../src/resources/catalogue/templates/index.ts';
import { writeSearchTexts } from '../../src/resources/search/search-texts.ts';
import { openProject, type Project } from '../helpers/project.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

interface Place {
  pointer: string;
  versions?: { active?: number; newest?: number };
  text: string;
}
interface Result {
  reachedBy?: string[];
  usedBy?: string[];
  kind: string;
  id: string;
  name: string;
  places: Place[];
}

/** Searches, also as if an earlier release had stored all versions, and after a worker has seen them: all find the same. */
async function search(project: Project, text: string, more: Record<string, string> = {}) {
  const atOnce = await searchNow(project, text, more);
  await forgetTexts(project);
  expect(await searchNow(project, text, more), 'without texts').toStrictEqual(atOnce);
  await writeTexts();
  expect(await searchNow(project, text, more), 'after the worker').toStrictEqual(atOnce);
  return atOnce;
}

async function forgetTexts({ projectId }: Project): Promise<void> {
  for (const table of ['flow_versions', 'conversation_versions'])
    await world.rows(`update ${table} set search_text = null where project_id = $1`, [projectId]);
}

async function searchNow(project: Project, text: string, more: Record<string, string> = {}) {
  const query = new URLSearchParams({ text, ...more });
  const { status, body } = await project.call('GET', `/v1/projects/${project.projectId}/search?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { results: Result[]; nextCursor?: string };
}

async function writeTexts(): Promise<void> {
  while (await writeSearchTexts(world.core.knex));
}

const places = async (project: Project, text: string, more?: Record<string, string>) =>
  (await search(project, text, more)).results.flatMap((result) =>
    result.places.map((place) => ({ kind: result.kind, ...place })),
  );

/** A design whose step `say` says this. */
const saying = (text: string) => ({
  schemaVersion: 'cd/1',
  entry: { stepId: 'greeting' },
  steps: {
    greeting: { kind: 'greeting', introLine: 'Hello, I am an AI assistant.', on: { next: 'say' } },
    say: { kind: 'message', text, on: { next: 'bye' } },
    bye: { kind: 'end' },
  },
});

async function newConversation(project: Project, name: string, design?: unknown): Promise<string> {
  const route = `/v1/projects/${project.projectId}/conversations`;
  const { status, body } = await project.call('POST', route, { name, ...(design ? { design } : {}) });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

const versionsOf = (id: string) => `/v1/conversations/${id}/versions`;

test('finds a text in every kind of record, and says where', async () => {
  const project = await openProject(world);
  const make = async (route: string, body: unknown) => {
    const answer = await project.call('POST', `/v1/projects/${project.projectId}/${route}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.id as string;
  };
  const flow = await project.newFlow({
    name: 'Claims',
    description: 'All about insurance.',
    flowSchema: { greeting: 'Hello', faq: [{ question: 'Do you take my insurance?', answer: 'Yes.' }] },
  });
  const conversation = await newConversation(project, 'Desk', saying('Which insurance do you have?'));
  const profile = await make('agent-profiles', { name: 'Insurance agent' });
  const base = await make('knowledge-bases', { name: 'Insurance terms' });
  const number = await make('phone-numbers', {
    name: 'Insurance line',
    number: '+12025550143',
    type: 'partner',
  });
  const { results } = await search(project, 'insurance');
  expect(new Map(results.map(({ id, places: found }) => [id, found]))).toStrictEqual(
    new Map([
      [number, [{ pointer: '/name', text: 'Insurance line' }]],
      [base, [{ pointer: '/name', text: 'Insurance terms' }]],
      [
        flow,
        [
          { pointer: '/description', text: 'All about insurance.' },
          {
            pointer: '/faq/0/question',
            versions: { active: 1, newest: 1 },
            text: 'Do you take my insurance?',
          },
        ],
      ],
      [
        conversation,
        [
          {
            pointer: '/steps/say/text',
            versions: { active: 1, newest: 1 },
            text: 'Which insurance do you have?',
          },
        ],
      ],
      [profile, [{ pointer: '/name', text: 'Insurance agent' }]],
    ]),
  );
  expect(await places(project, '5550143')).toMatchObject([{ kind: 'phoneNumber', pointer: '/number' }]);
  expect(await places(project, 'insurance', { kinds: 'flow' })).toHaveLength(2);
});

test('says of each line whether the active and the newest version have it, and shows no older version', async () => {
  const project = await openProject(world);
  const id = await newConversation(project, 'Desk', saying('We sell apples.'));
  const write = (design: unknown) => project.call('POST', versionsOf(id), { design });
  await write(saying('We sell pears.'));
  await write(saying('We sell plums.'));
  const found = async (text: string) =>
    (await places(project, text)).map(({ versions, text: line }) => [versions, line]);
  expect(await found('we sell')).toStrictEqual([
    [{ active: 1 }, 'We sell apples.'],
    [{ newest: 3 }, 'We sell plums.'],
  ]);
  expect(await found('pears')).toStrictEqual([]);
  await project.call('POST', `${versionsOf(id)}/2/activate`, {});
  expect(await found('we sell')).toStrictEqual([
    [{ active: 2 }, 'We sell pears.'],
    [{ newest: 3 }, 'We sell plums.'],
  ]);
  expect(await found('apples')).toStrictEqual([]);
  expect(await found('AI assistant')).toStrictEqual([
    [{ active: 2, newest: 3 }, 'Hello, I am an AI assistant.'],
  ]);
  const flowId = await project.newFlow({ name: 'Flow', flowSchema: { greeting: 'walnut' } });
  await project.newVersion(flowId, { greeting: 'walnut', closing: 'hazelnut' });
  expect(await found('nut')).toStrictEqual([
    [{ newest: 2 }, 'hazelnut'],
    [{ active: 1, newest: 2 }, 'walnut'],
  ]);
});

test('follows what happens to flows: versions, activation, renaming, deleting and restoring', async () => {
  const project = await openProject(world);
  const flowId = await project.newFlow({ name: 'One', flowSchema: { greeting: 'walnut' } });
  const second = await project.newVersion(flowId, { greeting: 'hazelnut' });
  await project.newVersion(flowId, { greeting: 'peanut' });
  const found = async () => (await places(project, 'nut')).map(({ text }) => text);
  expect(await found()).toStrictEqual(['walnut', 'peanut']);
  await project.call('POST', `/v1/flow-versions/${second}/activate`, {});
  expect(await found()).toStrictEqual(['hazelnut', 'peanut']);
  await project.call('PATCH', `/v1/flows/${flowId}`, { name: 'Nuts' });
  expect(await found()).toStrictEqual(['Nuts', 'hazelnut', 'peanut']);
  await project.call('DELETE', `/v1/flows/${flowId}`);
  expect(await found()).toStrictEqual([]);
  const { body } = await project.call('GET', `/v1/projects/${project.projectId}/trash`);
  await project.call('POST', `/v1/projects/${project.projectId}/trash/${body.trash[0].id}/restore`, {});
  expect(await found()).toStrictEqual(['Nuts', 'hazelnut', 'peanut']);
});

test.each([
  ['the middle of a word', 'Haftpflichtversicherung', 'versich'],
  ['another case', 'Insurance', 'iNSUR'],
  ['without its accents', 'Café à côté', 'cafe a cote'],
  ['with accents that the text lacks', 'cafe', 'café'],
  ['in Russian', 'Медицинская страховка', 'СТРАХ'],
  ['in Chinese', '请问您有保险吗', '保险'],
  ['in Arabic', 'هل لديك تأمين صحي؟', 'تأمين'],
  ['in Thai', 'คุณมีประกันไหม', 'ประกัน'],
  ['a word of two letters', 'ask for an ID now', 'id'],
  ['what LIKE would take for a pattern', '100% of_it \\ now', '% of_it \\'],
  ['over the end of a line', 'two\nlines', 'two lines'],
])('finds %s', async (_, greeting, text) => {
  const project = await openProject(world);
  const id = await project.newFlow({ name: 'Flow', flowSchema: { greeting } });
  await project.newFlow({ name: 'Other', flowSchema: { greeting: 'nothing of it' } });
  const { results } = await search(project, text);
  expect(results.map((result) => result.id)).toStrictEqual([id]);
});

test('does not find ids, kinds and other references, nor what the service wrote', async () => {
  const project = await openProject(world);
  await newConversation(project, 'Desk', saying('Hello there.'));
  expect((await places(project, 'message')).map(({ pointer }) => pointer)).toStrictEqual([]);
  expect((await places(project, 'bye')).map(({ pointer }) => pointer)).toStrictEqual([]);
  expect((await places(project, 'AI assistant')).map(({ pointer }) => pointer)).toStrictEqual([
    '/steps/greeting/introLine',
  ]);
});

test('pages through all places, also within one record, without losing or repeating one', async () => {
  const project = await openProject(world);
  const faq = Array.from({ length: 7 }, (_, index) => ({ question: `fig ${index}`, answer: 'yes' }));
  for (let made = 0; made < 3; made++) await project.newFlow({ name: 'Fig', flowSchema: { faq } });
  const all = await search(project, 'fig');
  const expected = all.results.flatMap(({ id, places: found }) => found.map(({ pointer }) => id + pointer));
  expect(expected).toHaveLength(24);
  for (const limit of [1, 5, 8, 23, 24]) {
    const seen: string[] = [];
    for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page++) {
      expect(page, 'pages').toBeLessThanOrEqual(expected.length);
      const found = await search(project, 'fig', { limit: String(limit), ...(cursor && { cursor }) });
      const pointers = found.results.flatMap(({ id, places: found }) =>
        found.map(({ pointer }) => id + pointer),
      );
      expect(pointers.length).toBeLessThanOrEqual(limit);
      seen.push(...pointers);
      cursor = found.nextCursor;
    }
    expect(seen).toStrictEqual(expected);
  }
});

test('never finds records of another project', async () => {
  const [mine, other] = [await openProject(world), await openProject(world)];
  await other.newFlow({ name: 'Secret quince', flowSchema: { greeting: 'quince' } });
  expect(await places(mine, 'quince')).toStrictEqual([]);
});

test('shows the words around a match in a long line', async () => {
  const project = await openProject(world);
  const filler = 'word '.repeat(400);
  await project.newFlow({ flowSchema: { instructions: `${filler}Straße and insurance too ${filler}` } });
  const [place] = await places(project, 'insurance');
  expect(place?.text).toMatch(/^…(?:word )+Straße and insurance too (?:word ?)+…$/);
  expect(place?.text.length).toBeLessThan(80);
});

/** A practice of 20 records: a conversation from each template, flows, profiles, knowledge and numbers. */
async function openPractice(): Promise<Tenant> {
  const tenant = await world.tenant({ plan: 'enterprise' });
  const call = async (route: string, body: unknown) => {
    const answer = await world.rest('POST', `/v1/projects/${tenant.projectId}/${route}`, {
      key: tenant.key,
      body,
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.id as string;
  };
  const own: Record<string, string> = {
    questions: 'Which insurance do you take? All public ones. Do I need a referral? Only for surgery.',
    businessName: 'Harbour Dental',
  };
  for (const { key, name, fields } of templates) {
    const required = fields.filter((field) => field.required);
    const templateFields = Object.fromEntries(
      required.map(({ key: field, sample }) => [field, own[field] ?? sample]),
    );
    await call('conversations', { name, templateKey: key, templateFields });
  }
  const faq = (about: string) => [
    { question: `Is ${about} covered by my insurance?`, answer: 'Public insurance pays half of it.' },
    { question: 'Do you have parking?', answer: 'Yes, behind the house.' },
  ];
  for (const about of ['whitening', 'an implant', 'a check-up'])
    await call('flows', {
      name: `About ${about}`,
      flowSchema: { greeting: 'Hello, I am an AI assistant.', faq: faq(about) },
    });
  await call('flows', {
    name: 'Reception',
    description: 'Answers the phone, and asks for the insurance card.',
    flowSchema: { greeting: 'Hello, I am an AI assistant.', closing: 'Goodbye.' },
  });
  await call('flows', {
    name: 'Night',
    flowSchema: { greeting: 'Hello, I am an AI assistant. We open at 8.' },
  });
  for (const name of ['Sunny', 'Robin', 'Kim']) await call('agent-profiles', { name });
  await call('knowledge-bases', { name: 'Insurance and prices' });
  await call('knowledge-bases', { name: 'Treatments' });
  await call('phone-numbers', { name: 'Front desk', number: '+12025550143', type: 'partner' });
  await call('phone-numbers', { name: 'Insurance questions', number: '+12025550144', type: 'partner' });
  return tenant;
}

test('finds everything that mentions insurance in one call of under 600 tokens', async () => {
  const client = await world.mcp('modern http', (await openPractice()).key);
  const { content } = await client.callTool({ name: 'search_project', arguments: { text: 'insurance' } });
  const answer = content[0]?.text ?? '';
  const { results } = JSON.parse(answer) as { results: Result[] };
  expect(results.map(({ kind }) => kind).toSorted()).toStrictEqual([
    'conversation',
    'flow',
    'flow',
    'flow',
    'flow',
    'knowledgeBase',
    'phoneNumber',
  ]);
  expect(results.flatMap(({ places: found }) => found)).toHaveLength(10);
  expect(countTokens(answer)).toBeLessThan(600);
});

test('read_design finds the lines of a version', async () => {
  const project = await openProject(world);
  const id = await newConversation(project, 'Desk', saying('Which INSURANCE do you have?'));
  const { body } = await project.call('GET', `${versionsOf(id)}/1/design?find=insurance`);
  expect(body).toStrictEqual({
    version: 1,
    places: [{ pointer: '/steps/say/text', text: 'Which INSURANCE do you have?' }],
  });
  const { status } = await project.call('GET', `${versionsOf(id)}/1/design?find=a&outline=true`);
  expect(status).toBe(400);
});

test('finds a conversation by its name although its imported design is not an object', async () => {
  const project = await openProject(world);
  const id = await newConversation(project, 'Imported ferry line');
  await world.rows(`update conversation_versions set design = '"lost"' where conversation_id = $1`, [id]);
  expect(await places(project, 'ferry')).toMatchObject([{ kind: 'conversation', pointer: '/name' }]);
});

/** The results without ids and places: who callers meet, and what refers to what. */
const usesIn = async (project: Project, text: string, more: Record<string, string> = {}) =>
  (await searchNow(project, text, more)).results.map(({ id: _, places: __, ...result }) => result);

test('says by which numbers and web agents callers reach a live line, and nothing of a draft', async () => {
  const project = await openProject(world);
  const make = async (route: string, body: unknown) => {
    const answer = await project.call('POST', `/v1/projects/${project.projectId}/${route}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.id as string;
  };
  const flowId = await project.newFlow({ name: 'Front', flowSchema: { greeting: 'Ask for quince.' } });
  await project.newFlow({ name: 'Unused', flowSchema: { greeting: 'No quince here.' } });
  const conversationId = await newConversation(project, 'Clinic', saying('We like quince.'));
  const number = { number: '+12025550143', type: 'partner', name: 'Main line', flowId };
  const mainId = await make('phone-numbers', number);
  const agent = { name: 'Homepage', conversationId, scopes: ['chat'], allowedOrigins: ['*'] };
  await make('web-sessions/agents', agent);
  expect(await usesIn(project, 'quince')).toStrictEqual([
    { kind: 'flow', name: 'Unused', reachedBy: [] },
    { kind: 'flow', name: 'Front', reachedBy: ['+12025550143 (Main line)'] },
    { kind: 'conversation', name: 'Clinic', reachedBy: ['web agent Homepage'] },
  ]);
  await project.call('PATCH', `/v1/phone-numbers/${mainId}`, { status: 'disabled' });
  expect(await usesIn(project, 'ask for quince')).toStrictEqual([
    { kind: 'flow', name: 'Front', reachedBy: [] },
  ]);
  await project.newVersion(flowId, { greeting: 'Ask for figs.' });
  expect(await usesIn(project, 'figs')).toStrictEqual([{ kind: 'flow', name: 'Front' }]);
});

test('finds a phone number however it is written', async () => {
  const project = await openProject(world);
  const number = { number: '+12025550143', type: 'partner', name: 'Main line' };
  await project.call('POST', `/v1/projects/${project.projectId}/phone-numbers`, number);
  await project.newFlow({ name: 'Front', flowSchema: { handoff: { number: '+12025550190' } } });
  for (const text of ['555 01', '+1 (202) 555-0', '2025550', '202.555.01'])
    expect(
      (await usesIn(project, text)).map(({ name }) => name),
      text,
    ).toStrictEqual(['Main line', 'Front']);
  expect(await usesIn(project, '+1 202 555 0190')).toMatchObject([{ name: 'Front' }]);
  expect(await usesIn(project, '24/7')).toStrictEqual([]);
});

test('finds passages of knowledge by their words, and who uses their base', async () => {
  const project = await openProject(world);
  const make = async (route: string, body: unknown) => {
    const answer = await project.call('POST', route, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.id as string;
  };
  const bases = `/v1/projects/${project.projectId}/knowledge-bases`;
  const knowledgeBaseId = await make(bases, { name: 'Facts' });
  const file = { type: 'file', name: 'Prices', fileName: 'prices.txt', mimeType: 'text/plain', content: 'x' };
  const sourceId = await make(`/v1/knowledge/${knowledgeBaseId}/sources`, { ...file, indexing: 'deferred' });
  await world.rows(
    `insert into knowledge_pages (project_id, source_id, url, run, depth, status) values ($1, $2, '', 1, 0, 'done')`,
    [project.projectId, sourceId],
  );
  await world.rows(
    `insert into knowledge_chunks (project_id, knowledge_base_id, source_id, url, position, heading, text, language)
     select $1, $2, $3, '', n, 'Costs', case n when 1 then 'Children''s dental check-ups cost nothing; public insurance pays for them.'
       else 'Implants cost 900 dollars.' end, 'english' from generate_series(1, 20) n`,
    [project.projectId, knowledgeBaseId, sourceId],
  );
  const greeting = { kind: 'greeting', introLine: 'Hello, I am an AI assistant.', on: { next: 'answers' } };
  const answers = {
    kind: 'answer',
    instruction: 'Answer from the facts.',
    knowledgeIds: ['facts'],
    on: { next: 'bye', noAnswer: 'bye' },
  };
  const conversationId = await newConversation(project, 'Clinic', {
    schemaVersion: 'cd/1',
    entry: { stepId: 'greeting' },
    steps: { greeting, answers, bye: { kind: 'end' } },
    knowledge: [{ id: 'facts', kind: 'knowledgeBase', knowledgeBaseId }],
  });
  const number = { number: '+12025550143', type: 'partner', name: 'Main line', conversationId };
  await make(`/v1/projects/${project.projectId}/phone-numbers`, number);
  const passage = {
    kind: 'passage',
    id: sourceId,
    name: 'Prices',
    knowledgeBase: 'Facts',
    reachedBy: ['+12025550143 (Main line)'],
  };
  for (const text of ['insur', 'Does insurance pay for children?', "children's"])
    expect((await searchNow(project, text)).results, text).toStrictEqual([
      { ...passage, places: [{ pointer: 'Costs', text: expect.stringMatching(/insurance|Children/) }] },
    ]);
  expect(await searchNow(project, 'insurance')).toHaveProperty('untrusted');
  expect(await searchNow(project, 'Clinic')).not.toHaveProperty('untrusted');
  const [costly] = (await searchNow(project, 'implants')).results;
  expect(costly?.places, 'bounded').toHaveLength(5);
  for (const text of ['submarines', "'; drop", "a' | 'b", '\\', 'in'])
    expect(
      (await usesIn(project, text)).filter(({ kind }) => kind === 'passage'),
      text,
    ).toStrictEqual([]);
  const onlyFlows = new URLSearchParams({ text: 'insurance' });
  onlyFlows.append('kinds', 'flow');
  const { body } = await project.call('GET', `/v1/projects/${project.projectId}/search?${onlyFlows}`);
  expect(body.results).toStrictEqual([]);
  expect(await usesIn(await openProject(world), 'insurance')).toStrictEqual([]);

  expect(await usesIn(project, 'facts')).toContainEqual({
    kind: 'knowledgeBase',
    name: 'Facts',
    usedBy: ['conversation Clinic'],
  });
  const [base] = (await searchNow(project, knowledgeBaseId)).results;
  expect(base).toStrictEqual({
    kind: 'knowledgeBase',
    id: knowledgeBaseId,
    name: 'Facts',
    places: [],
    reachedBy: ['+12025550143 (Main line)'],
    usedBy: ['conversation Clinic'],
  });
  expect(await usesIn(await openProject(world), knowledgeBaseId)).toStrictEqual([]);
});

test('finds what uses a record by its id, also in a draft', async () => {
  const project = await openProject(world);
  const profile = await project.call('POST', `/v1/projects/${project.projectId}/agent-profiles`, {
    name: 'Anna',
  });
  const agentProfileId: string = profile.body.id;
  await project.newFlow({ name: 'Front', agentProfileId });
  expect(await usesIn(project, agentProfileId)).toStrictEqual([
    { kind: 'agentProfile', name: 'Anna', usedBy: ['flow Front'] },
  ]);
  expect(await usesIn(project, 'anna')).toStrictEqual([
    { kind: 'agentProfile', name: 'Anna', usedBy: ['flow Front'] },
  ]);
  const bases = `/v1/projects/${project.projectId}/knowledge-bases`;
  const { body: base } = await project.call('POST', bases, { name: 'Facts' });
  const conversationId = await newConversation(project, 'Clinic');
  const { body: design } = await project.call('GET', `${versionsOf(conversationId)}/1/design`);
  const knowledge = [{ id: 'facts', kind: 'knowledgeBase', knowledgeBaseId: base.id }];
  const written = await project.call('POST', versionsOf(conversationId), {
    design: { ...design, knowledge },
  });
  expect(written.status, JSON.stringify(written.body)).toBe(201);
  expect(await usesIn(project, base.id)).toStrictEqual([
    { kind: 'knowledgeBase', name: 'Facts', usedBy: ['conversation Clinic'] },
  ]);
});
