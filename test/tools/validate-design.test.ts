import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { disclosedDesign } from '../designs/disclosed.ts';
import { created, type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

/** An untyped design, because tests break it on purpose. */
type Untyped = ReturnType<typeof JSON.parse>;

let world: World;
let project: DesignProject;
let id: string;
let clinic: Untyped;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  id = await project.newConversation();
  clinic = await disclosedDesign(world, project, 'clinic');
});
afterAll(() => world.close());

const validated = async (design: unknown) => {
  const { status, body } = await project.validate(id, design);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const damaged = (damage: (design: Untyped) => void) => {
  const design = structuredClone(clinic);
  damage(design);
  return design;
};

test('returns a valid design without problems, as a write would store it', async () => {
  const answer = await validated(clinic);
  expect(answer).toMatchObject({ valid: true, problems: [] });
  const { design } = created(await project.write(id, clinic));
  expect(JSON.stringify(answer.design)).toBe(JSON.stringify(design));
});

test('returns valid with the warnings if there are no errors', async () => {
  const answer = await validated(damaged((design) => (design.steps.spare = { kind: 'end' })));
  expect(answer).toStrictEqual({
    valid: true,
    problems: [
      {
        code: 'design_invalid',
        severity: 'warning',
        path: '/steps/spare',
        stepId: 'spare',
        message: expect.stringMatching(/\S/),
        hint: expect.stringMatching(/\S/),
      },
    ],
    design: expect.objectContaining({ schemaVersion: 'cd/1' }),
  });
});

test.each<[what: string, design: () => Untyped]>([
  ['an error', () => damaged((design) => (design.entry.stepId = 'nobody'))],
  ['a member of another type', () => damaged((design) => (design.steps.welcome.on = 7))],
  ['a list instead of an object', () => []],
])('returns invalid and a null design for %s', async (_, design) => {
  const { valid, problems, design: answered } = await validated(design());
  expect({ valid, answered }).toEqual({ valid: false, answered: null });
  expect(problems.length).toBeGreaterThan(0);
});

test('writes neither a version nor an audit row, and accepts a key with read access', async () => {
  const { key } = await world.key(project.projectId, { access: ['read'] });
  const counts = () =>
    world.rows(
      `select (select count(*) from conversation_versions) as versions, (select count(*) from audit_log) as audited,
         (select max(updated_at) from conversations) as updated`,
    );
  const before = await counts();
  for (const design of [clinic, damaged((wrong) => (wrong.entry.stepId = 'nobody')), null]) {
    const route = `/v1/conversations/${id}/designs/validate`;
    expect((await world.rest('POST', route, { key, body: { design } })).status).toBe(200);
  }
  expect(await counts()).toStrictEqual(before);
});

test('returns 400 for a body without a design', async () => {
  const route = `/v1/conversations/${id}/designs/validate`;
  for (const body of [{}, undefined]) {
    const { details } = refused(await project.call('POST', route, body), 400, 'invalid_request');
    expect(details.issues).toEqual([
      { in: 'body', path: '/design', message: 'One of design, patch, merge is required.' },
    ]);
  }
});

test('checks the rest of a design if a part violates the schema', async () => {
  const design = damaged((wrong) => {
    wrong.steps.welcome.on = 7;
    wrong.hooks.before.nodes[wrong.hooks.before.rootNodeId].webhook = {};
    wrong.layout = { welcome: 'left' };
    wrong.compliance = [];
    wrong.entry.alternates = ['nobody'];
    wrong.variables.push(wrong.variables[0]);
  });
  const { problems } = await validated(design);
  const node = `/hooks/before/nodes/${clinic.hooks.before.rootNodeId}`;
  const told = problems.map(({ code, path }: { code: string; path: string }) => `${code} ${path}`);
  expect(told.toSorted()).toEqual(
    [
      'invalid_request /steps/welcome/on',
      `invalid_request ${node}/webhook/payload`,
      `invalid_request ${node}/webhook/url`,
      'invalid_request /layout/welcome',
      'invalid_request /compliance',
      'invalid_transition /entry/alternates/0',
      `design_invalid /variables/${clinic.variables.length}/id`,
    ].toSorted(),
  );
});

test('reports only the schema errors if the frame violates the schema', async () => {
  const design = damaged((wrong) => {
    wrong.entry = 'welcome';
    wrong.steps.welcome.on.next = 'nobody';
  });
  const { problems } = await validated(design);
  expect(problems.map(({ code, path }: { code: string; path: string }) => [code, path])).toEqual([
    ['invalid_request', '/entry'],
  ]);
});

test('reports at most 100 problems', async () => {
  const many = damaged((wrong) => {
    wrong.entry.alternates = Array.from({ length: 150 }, (_, index) => `nobody-${index}`);
  });
  expect((await validated(many)).problems).toHaveLength(100);
});

test('returns 404 for an unknown conversation before it checks the design', async () => {
  for (const design of [clinic, null])
    refused(await project.validate(newId('conversation'), design), 404, 'not_found');
});

test('a step that leads to a node of hooks.after learns how a node runs after the call', async () => {
  const node = {
    id: 'report',
    webhook: { url: 'https://example.com/calls', payload: [] },
    next: { end: true },
  };
  const wrong = damaged((design) => {
    design.hooks = { after: { nodes: { report: node } } };
    design.steps.welcome.on.next = 'report';
  });
  const { problems } = await validated(wrong);
  expect(problems[0]).toMatchObject({
    code: 'invalid_transition',
    hint: 'No step leads to a node of hooks.after. Name it in hooks.after.entryPoints, by the step at which the call ends.',
  });
});
