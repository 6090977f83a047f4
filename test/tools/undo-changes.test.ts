import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { lasting, passing, undoable } from '../../src/resources/undo/operations.ts';
import { operations } from '../contract/registry.ts';
import { openProject, type Project } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** The present time of the database, after every change before. */
async function moment(): Promise<string> {
  const [row] = await world.rows("select clock_timestamp() + interval '1 ms' as now, pg_sleep(0.002)");
  const { now } = row as { now: Date };
  return now.toISOString();
}

interface Undone {
  changes: number;
  undone: { kind: string; id: string; name: string; what: string }[];
  stays: { what: string; reason: string }[];
  token?: string;
}

function undo({ projectId, key }: Project, body: Record<string, unknown>, by = key) {
  return world.rest('POST', `/v1/projects/${projectId}/undo`, { key: by, body });
}

async function undone(project: Project, body: Record<string, unknown>, key?: string): Promise<Undone> {
  const answer = await undo(project, body, key);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

const lines = ({ undone: all }: Undone) => all.map(({ kind, name, what }) => `${kind} ${name}: ${what}`);

async function read(project: Project, route: string) {
  const { status, body } = await project.call('GET', route);
  return status === 200 ? body : status;
}

async function created(project: Project, route: string, body: Record<string, unknown>): Promise<string> {
  const answer = await project.call('POST', route, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

const newConversation = (project: Project, name: string) =>
  created(project, `/v1/projects/${project.projectId}/conversations`, { name });

/** A design that discloses the AI, with another greeting. */
function greeting(text: string) {
  const { stepId } = starterDesign.entry;
  const step = { ...starterDesign.steps[stepId], introLine: text };
  return { ...starterDesign, steps: { ...starterDesign.steps, [stepId]: step } };
}

test('puts a flow back: its live version, its newest version, its settings, from the trash', async () => {
  const project = await openProject(world);
  const flowId = await project.newFlow({ name: 'Desk' });
  const before = await read(project, `/v1/flows/${flowId}`);
  const since = await moment();
  const versionId = await project.newVersion(flowId, { greeting: 'Hi' });
  await project.call('POST', `/v1/flow-versions/${versionId}/activate`, {});
  await project.call('PATCH', `/v1/flows/${flowId}`, { name: 'Front desk', description: 'x' });
  await project.call('DELETE', `/v1/flows/${flowId}`);
  const other = await project.newFlow({ name: 'Other' });
  const expected = [
    'flow Desk: comes back from the trash; version 1 is live again; version 3 repeats version 1; name: "Desk", description: null',
    'flow Other: goes to the trash',
  ];
  const preview = await undone(project, { since, preview: true });
  expect([lines(preview), preview.stays, preview.changes]).toEqual([expected, [], 5]);
  expect(await read(project, `/v1/flows/${flowId}`)).toBe(404);

  const done = await undone(project, { since, token: preview.token });
  expect([lines(done), done.token]).toEqual([expected, undefined]);
  expect(await read(project, `/v1/flows/${flowId}`)).toEqual({ ...before, updatedAt: expect.anything() });
  expect(await read(project, `/v1/flows/${other}`)).toBe(404);
  const { versions } = await read(project, `/v1/flows/${flowId}/versions`);
  expect(
    versions.map((one: Record<string, unknown>) => [one['version'], one['isActive'], one['flowSchema']]),
  ).toEqual([
    [3, false, {}],
    [2, false, { greeting: 'Hi' }],
    [1, true, {}],
  ]);
  // There is nothing left to undo.
  expect(lines(await undone(project, { since }))).toEqual([]);
});

test('an undo can be undone', async () => {
  const project = await openProject(world);
  const flowId = await project.newFlow({ name: 'Desk' });
  const since = await moment();
  await project.call('PATCH', `/v1/flows/${flowId}`, { name: 'Front desk' });
  const other = await project.newFlow({ name: 'Other' });
  const later = await moment();
  await undone(project, { since });
  expect(lines(await undone(project, { since: later }))).toEqual([
    'flow Other: comes back from the trash',
    'flow Front desk: name: "Front desk"',
  ]);
  expect((await read(project, `/v1/flows/${flowId}`)).name).toBe('Front desk');
  expect((await read(project, `/v1/flows/${other}`)).name).toBe('Other');
});

test('puts a conversation, a number, a web agent, a profile and the project back', async () => {
  const project = await openProject(world);
  const { projectId, call } = project;
  const [day, night] = [await newConversation(project, 'Day'), await newConversation(project, 'Night')];
  const profile = await project.newAgentProfile();
  const number = await created(project, `/v1/projects/${projectId}/phone-numbers`, {
    name: 'Main line',
    number: '+12025550143',
    type: 'partner',
  });
  await call('PATCH', `/v1/numbers/${number}`, { conversationId: day });
  const agent = await created(project, `/v1/projects/${projectId}/web-sessions/agents`, {
    name: 'Site',
    channel: 'widget',
    scopes: ['chat'],
    allowedOrigins: ['https://a.example'],
    conversationId: day,
  });
  const routes = [
    `/v1/projects/${projectId}`,
    `/v1/agent-profiles/${profile}`,
    `/v1/conversations/${day}`,
    `/v1/phone-numbers/${number}`,
    `/v1/web-sessions/agents/${agent}`,
  ];
  const state = async () =>
    Promise.all(routes.map(async (route) => ({ ...(await read(project, route)), updatedAt: '' })));
  const before = await state();
  const since = await moment();
  await call('PATCH', `/v1/projects/${projectId}`, { description: 'New', requireDisclosure: true });
  await call('PATCH', `/v1/agent-profiles/${profile}`, { name: 'Other', supportedInputLanguages: ['de'] });
  await call('PATCH', `/v1/conversations/${day}`, {
    name: 'Days',
    description: 'All',
    agentId: profile,
    requireScenarios: true,
  });
  await call('PATCH', `/v1/numbers/${number}`, { conversationId: night });
  await call('PATCH', `/v1/phone-numbers/${number}`, { name: 'Line', status: 'disabled' });
  await call('PATCH', `/v1/web-sessions/agents/${agent}`, {
    allowedOrigins: ['https://b.example'],
    conversationId: night,
    status: 'disabled',
  });
  expect(await state()).not.toEqual(before);
  const done = await undone(project, { since });
  expect(done.stays).toEqual([]);
  expect(lines(done)).toContain(
    'phoneNumber Main line: name: "Main line", status: "enabled", conversationId: "Day"',
  );
  expect(await state()).toEqual(before);
  const [{ requires }] = (await world.rows(
    'select requires_scenarios as requires from conversations where id = $1',
    [day],
  )) as [{ requires: boolean }];
  expect(requires).toBe(false);
});

test('undoes what the design of a conversation has become, and leaves a rejected version alone', async () => {
  const project = await openProject(world);
  const id = await newConversation(project, 'Dentist');
  const write = async (text: string, version: number, activate: boolean) => {
    const route = `/v1/conversations/${id}/versions`;
    const { status, body } = await project.call('POST', route, { design: greeting(text), version });
    expect(status, JSON.stringify(body)).toBe(201);
    if (activate) await project.call('POST', `${route}/${version + 1}/activate`, {});
  };
  await write('Hello, this is an AI assistant. One.', 1, true);
  const since = await moment();
  await write('Hello, this is an AI assistant. Two.', 2, true);
  await write('Hello, this is an AI assistant. Three.', 3, false);
  const rejected = await project.call('POST', `/v1/conversations/${id}/versions/2/reject`, {
    reason: 'No.',
  });
  expect(rejected.status, JSON.stringify(rejected.body)).toBe(200);
  const done = await undone(project, { since });
  expect(lines(done)).toEqual(['conversation Dentist: version 5 repeats version 2']);
  expect(done.stays.map(({ what }) => what.split(' at ')[0])).toEqual([
    'conversation "Dentist"',
    'reject_version "Dentist"',
  ]);
  expect(done.stays[0]?.reason).toContain('rejected');
  expect((await read(project, `/v1/conversations/${id}`)).activeVersion).toBe(3);
  const newest = await read(project, `/v1/conversations/${id}/versions/5/design`);
  expect(JSON.stringify(newest)).toContain('One.');
});

test('restores records in the order in which they refer to each other, and deletes them in the other order', async () => {
  const project = await openProject(world);
  const { projectId, call } = project;
  const start = await moment();
  const base = await created(project, `/v1/projects/${projectId}/knowledge-bases`, { name: 'Facts' });
  const flow = await project.newFlow({ name: 'Desk' });
  const number = await created(project, `/v1/projects/${projectId}/phone-numbers`, {
    name: 'Main line',
    number: '+12025550143',
    type: 'partner',
    flowId: flow,
  });
  const middle = await moment();
  await call('DELETE', `/v1/phone-numbers/${number}`);
  await call('DELETE', `/v1/flows/${flow}`);
  await call('DELETE', `/v1/knowledge/${base}`);
  expect(lines(await undone(project, { since: middle }))).toEqual([
    'knowledgeBase Facts: comes back from the trash',
    'flow Desk: comes back from the trash',
    'phoneNumber Main line: comes back from the trash',
  ]);
  expect((await read(project, `/v1/phone-numbers/${number}`)).flowId).toBe(flow);
  expect(lines(await undone(project, { since: start }))).toEqual([
    'phoneNumber Main line: goes to the trash',
    'flow Desk: goes to the trash',
    'knowledgeBase Facts: goes to the trash',
  ]);
});

test('lists what cannot be undone, and why', async () => {
  const project = await openProject(world);
  const { projectId, call } = project;
  const since = await moment();
  await call('PATCH', `/v1/projects/${projectId}/secrets/TOKEN`, { value: 'a secret value' });
  const native = await call('POST', `/v1/projects/${projectId}/phone-numbers`, {
    name: 'Trunk',
    number: '+12025550144',
    type: 'external',
    externalPhoneFields: { provider: 'sip', terminationUri: 'sip.example.com', transport: 'tls' },
  });
  expect(native.status, JSON.stringify(native.body)).toBe(201);
  const later = await moment();
  await call('PATCH', `/v1/phone-numbers/${native.body.id}`, {
    externalPhoneFields: { authUsername: 'u', authPassword: 'never kept 123' },
  });
  const { stays } = await undone(project, { since: later });
  expect(stays).toEqual([
    { what: 'phoneNumber "Trunk"', reason: 'Parley keeps no former password of a trunk.' },
  ]);
  const all = await undone(project, { since, preview: true });
  expect(all.stays.map(({ reason }) => reason)).toEqual(['Parley keeps no former value of a secret.']);
  const kept = await world.rows('select former, summary from audit_log where project_id = $1', [projectId]);
  expect(JSON.stringify(kept)).not.toMatch(/a secret value|never kept 123/);
});

test('undoes the changes of one key, as far as no other key has changed the same since', async () => {
  const project = await openProject(world);
  const other = await world.key(project.projectId, {});
  const patch = (id: string, body: object, key = project.key) =>
    world.rest('PATCH', `/v1/flows/${id}`, { key, body });
  const [one, two] = [await project.newFlow({ name: 'One' }), await project.newFlow({ name: 'Two' })];
  const since = await moment();
  await patch(one, { name: 'One by A', description: 'by A' });
  await patch(one, { description: 'by B' }, other.key);
  await patch(two, { name: 'Two by B' }, other.key);
  const done = await undone(project, { since, by: project.keyId });
  expect([done.changes, lines(done)]).toEqual([1, ['flow One: name: "One"']]);
  expect(done.stays).toEqual([{ what: 'flow "One"', reason: 'Another key has changed it since.' }]);
  expect((await read(project, `/v1/flows/${one}`)).description).toBe('by B');
  expect((await read(project, `/v1/flows/${two}`)).name).toBe('Two by B');
});

test('a key does only what it may do, and undoes its own changes without admin access', async () => {
  const project = await openProject(world);
  const key = (access: ('draft' | 'publish' | 'read')[]) => world.key(project.projectId, { access });
  const [drafts, publishes] = [await key(['read', 'draft']), await key(['read', 'draft', 'publish'])];
  const since = await moment();
  const flowId = await project.newFlow({ name: 'Of the admin' });
  const made = await world.rest('POST', `/v1/projects/${project.projectId}/flows`, {
    key: drafts.key,
    body: { name: 'Of the draft key', flowSchema: {} },
  });
  expect(made.status).toBe(201);
  const own = await undone(project, { since }, drafts.key);
  expect([lines(own), own.stays]).toEqual([
    [],
    [{ what: 'flow "Of the draft key"', reason: 'That needs the access "publish".' }],
  ]);
  expect(lines(await undone(project, { since }, publishes.key))).toEqual([]);
  const foreign = await undo(project, { since, by: project.keyId }, publishes.key);
  expect([foreign.status, foreign.body.error.code]).toEqual([403, 'forbidden']);
  const elsewhere = await openProject(world);
  expect((await undo(project, { since }, elsewhere.key)).status).toBe(404);
  expect((await undo(project, { since, by: elsewhere.keyId })).status).toBe(404);
  expect((await undo(project, { since }, (await key(['read'])).key)).status).toBe(403);
  expect((await read(project, `/v1/flows/${flowId}`)).name).toBe('Of the admin');
});

test('a token allows what the preview showed, and nothing else', async () => {
  const project = await openProject(world);
  const flowId = await project.newFlow({ name: 'Desk' });
  const since = await moment();
  await project.call('PATCH', `/v1/flows/${flowId}`, { name: 'Front desk' });
  const { token } = await undone(project, { since, preview: true });
  expect((await undone(project, { since, preview: true })).token).toBe(token);
  await project.call('PATCH', `/v1/flows/${flowId}`, { name: 'Reception' });
  const refused = await undo(project, { since, token });
  expect([refused.status, refused.body.error.code]).toEqual([409, 'version_conflict']);
  expect((await read(project, `/v1/flows/${flowId}`)).name).toBe('Reception');
  const renewed = await undone(project, { since, preview: true });
  const both = await Promise.all([1, 2].map(() => undo(project, { since, token: renewed.token })));
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  expect((await read(project, `/v1/flows/${flowId}`)).name).toBe('Desk');
});

test('two undos at once do it once, and a repeated Idempotency-Key gets the same response', async () => {
  const project = await openProject(world);
  const flowId = await project.newFlow({ name: 'Desk' });
  const since = await moment();
  await project.newVersion(flowId, { greeting: 'Hi' });
  const both = await Promise.all([undone(project, { since }), undone(project, { since })]);
  expect(both.map((one) => lines(one)).toSorted((one, other) => one.length - other.length)).toEqual([
    [],
    ['flow Desk: version 3 repeats version 1'],
  ]);
  await project.call('PATCH', `/v1/flows/${flowId}`, { name: 'Front desk' });
  const once = () =>
    world.rest('POST', `/v1/projects/${project.projectId}/undo`, {
      key: project.key,
      body: { since },
      headers: { 'idempotency-key': 'undo-1' },
    });
  const first = await once();
  await project.call('PATCH', `/v1/flows/${flowId}`, { name: 'Reception' });
  expect((await once()).body).toEqual(first.body);
  expect((await read(project, `/v1/flows/${flowId}`)).name).toBe('Reception');
});

/** Records so many changes of the names of flows, as if this key had made them. */
const renames = (
  project: Project,
  { count, keyId, flowId }: { count: number; keyId: string; flowId: string },
) =>
  world.rows(
    `insert into audit_log (project_id, id, key_id, operation, request_id, input_hash, output_hash, former)
     select $1, 'cau' || substr(md5($3), 1, 9) || lpad(to_hex(n), 17, '0'), $2, 'update_flow', 'r', 'h', 'h',
       json_build_array(json_build_object('table', 'flows', 'id', $3::text, 'was', json_build_object('name', 'Desk')))
     from generate_series(1, cast($4 as int)) as n`,
    [project.projectId, keyId, flowId, count],
  );

test('refuses more changes than one call may undo, and says what to do', async () => {
  const project = await openProject(world);
  const flowId = await project.newFlow({ name: 'Desk' });
  const since = await moment();
  await renames(project, { count: 1001, keyId: project.keyId, flowId });
  const refused = await undo(project, { since });
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    `body /since: There are more than 1000 changes since ${since}, too many for one call.`,
  ]);
});

test('counts only the changes of the key whose changes it undoes, however many other keys have made', async () => {
  const project = await openProject(world);
  const [own, busy] = [await project.newFlow({ name: 'Own' }), await project.newFlow({ name: 'Busy' })];
  const { key, keyId } = await world.key(project.projectId, { access: ['read', 'draft', 'publish'] });
  const since = await moment();
  const renamed = await world.rest('PATCH', `/v1/flows/${own}`, { key, body: { name: 'Renamed' } });
  expect(renamed.status).toBe(200);
  await renames(project, { count: 1001, keyId: project.keyId, flowId: busy });
  for (const wish of [
    { since, by: keyId, preview: true },
    { since, by: keyId },
  ])
    expect(lines(await undone(project, wish))).toEqual(['flow Own: name: "Own"']);
  expect((await read(project, `/v1/flows/${own}`)).name).toBe('Own');
  await renames(project, { count: 1001, keyId: project.keyId, flowId: own });
  const refused = await undo(project, { since, by: keyId });
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    `body /since: There are more than 1000 changes of the same records by other keys since ${since}, too many for one call.`,
  ]);
});

test('says of a change of an earlier release that it did not keep what it replaced', async () => {
  const project = await openProject(world);
  const since = await moment();
  await world.rows(
    `insert into audit_log (project_id, id, key_id, operation, request_id, input_hash, output_hash)
     select $1, id, $2, 'update_flow', 'r', 'h', 'h' from (select 'cau' || substr(id, 4) as id from flows where id = $3) as one`,
    [project.projectId, project.keyId, await project.newFlow()],
  );
  const { stays } = await undone(project, { since, preview: true });
  expect(stays.map(({ reason }) => reason)).toEqual(['An earlier release did not keep what it replaced.']);
});

test('shows on MCP one line for each record', async () => {
  const project = await openProject(world);
  const flowId = await project.newFlow({ name: 'Desk' });
  const since = await moment();
  await project.call('PATCH', `/v1/flows/${flowId}`, { name: 'Front desk' });
  const client = await world.mcp('modern http', project.key);
  const call = async (input: object) => {
    const { structuredContent } = await client.callTool({
      name: 'undo_changes',
      arguments: { since, ...input },
    });
    return structuredContent;
  };
  const undoneLines = ['flow "Desk": name: "Desk"'];
  const preview = await call({ preview: true });
  expect(preview).toEqual({ changes: 1, undone: undoneLines, stays: [], token: expect.any(String) });
  expect(await call({ token: (preview as { token: string }).token })).toEqual({
    changes: 1,
    undone: undoneLines,
    stays: [],
  });
  await client.close();
});

test('every operation that writes can be undone, or says why not', () => {
  const writing = operations.filter(({ transaction }) => transaction === 'write' || transaction === 'own');
  const judged = [...undoable, ...Object.keys(lasting), ...passing];
  expect(judged.toSorted()).toEqual(writing.map(({ name }) => name).toSorted());
});

test('begins between two changes of one second at the time that list_changes shows on MCP', async () => {
  const project = await openProject(world);
  const client = await world.mcp('modern http', project.key);
  const listed = async () => {
    const { content } = await client.callTool({ name: 'list_changes', arguments: {} });
    return (JSON.parse(content[0]?.text ?? '') as { changes: { at: string }[] }).changes;
  };
  const flowId = await project.newFlow({ name: 'Desk' });
  // Until two renames in a row share a second.
  for (let turn = 0; ; turn += 2) {
    await project.call('PATCH', `/v1/flows/${flowId}`, { name: `Desk ${turn}` });
    await moment();
    await project.call('PATCH', `/v1/flows/${flowId}`, { name: `Desk ${turn + 1}` });
    const [newest, second] = await listed();
    if (newest?.at.slice(0, 19) !== second?.at.slice(0, 19)) continue;
    const { changes } = await undone(project, { since: newest?.at });
    expect([changes, (await read(project, `/v1/flows/${flowId}`)).name]).toEqual([1, `Desk ${turn}`]);
    return;
  }
});
