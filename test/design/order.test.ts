import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { disclosedDesign } from '../designs/disclosed.ts';
import { created, type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { codeDamages, damagedFor } from './code-damages.ts';

let world: World;
let project: DesignProject;
let conversationId: string;
let clinic: Design;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world, { plan: 'pro' });
  clinic = await disclosedDesign(world, project, 'clinic');
  conversationId = await project.newConversation({ design: clinic });
});
afterAll(() => world.close());

const codes = codeDamages.map(({ code }) => code);
const errorCodes = (problems: readonly { severity: string; code: string }[]) =>
  problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);

test.each(codeDamages)('reports $code alone for its damage', async ({ code, status }) => {
  const damaged = damagedFor(clinic, [code]);
  const problems = await project.problems(conversationId, damaged);
  expect(errorCodes(problems)).toEqual([code]);
  refused(await project.write(conversationId, damaged), status, code);
});

describe('the code that comes first decides', () => {
  const pairs = codeDamages.flatMap((first, index) =>
    codeDamages
      .slice(index + 1)
      .map((second) => ({ first: first.code, second: second.code, status: first.status })),
  );

  test.each(pairs)('$first before $second', async ({ first, second, status }) => {
    const damaged = damagedFor(clinic, [first, second]);
    refused(await project.write(conversationId, damaged), status, first);
    // Unless the frame violates the schema, the other checks still run.
    if (first !== 'invalid_request')
      expect(errorCodes(await project.problems(conversationId, damaged))).toEqual([first, second]);
  });
});

test('returns all errors from validation at once, in order', async () => {
  const damaged = damagedFor(clinic, codes.slice(1));
  expect(errorCodes(await project.problems(conversationId, damaged))).toEqual(codes.slice(1));
  // A step that violates the schema adds one problem; references to it still resolve.
  damaged.steps['practice-questions'].maxTurns = 0;
  const problems = await project.problems(conversationId, damaged);
  expect(errorCodes(problems)).toEqual(codes);
  expect(problems[0]).toMatchObject({
    path: '/steps/practice-questions/maxTurns',
    stepId: 'practice-questions',
  });
  expect(
    problems.every(({ severity }) => severity === 'error'),
    'no warnings about steps whose exits are unknown',
  ).toBe(true);
});

test('returns errors before warnings', async () => {
  const damaged = damagedFor(clinic, ['design_invalid']);
  damaged.hooks.before.nodes[damaged.hooks.before.rootNodeId].next = {};
  damaged.steps.spare = { kind: 'end' };
  damaged.hooks.before.rootNodeId = 'nobody';
  const problems = await project.problems(conversationId, damaged);
  expect(problems.map(({ severity }) => severity)).toEqual(['error', 'error', 'warning', 'warning']);
});

test('reports an outdated version only if nothing else is wrong', async () => {
  created(await project.write(conversationId, clinic));
  const [{ n: newest } = { n: 0 }] = await project.versions(conversationId);
  const outdated = { version: newest - 1 };
  for (const { code, status } of codeDamages)
    refused(await project.write(conversationId, damagedFor(clinic, [code]), outdated), status, code);
  refused(await project.write(conversationId, clinic, outdated), 409, 'version_conflict');
});

test('refuses to create a conversation for the same errors, and stores nothing', async () => {
  const route = `/v1/projects/${project.projectId}/conversations`;
  const before = (await project.call('GET', route)).body;
  for (const { code, status } of codeDamages)
    refused(await project.create({ design: damagedFor(clinic, [code]) }), status, code);
  expect((await project.call('GET', route)).body).toEqual(before);
});

describe('the details of', () => {
  const detailsFor = async (code: string, status: number) =>
    refused(await project.write(conversationId, damagedFor(clinic, [code])), status, code);
  const text = expect.stringMatching(/\S{2}/);

  test.each([
    ['invalid_transition', 'welcome', '/steps/welcome/on/next'],
    ['invalid_route_option', 'reason', '/steps/reason/options/0'],
    ['invalid_layout_ref', 'nobody', '/layout/nobody'],
    ['unknown_integration_ref', '', '/integrations/2/integrationId'],
    ['integration_kind_mismatch', '', '/integrations/2/kind'],
    ['ai_disclosure_required', 'consent', '/steps/consent/line'],
  ])('%s are issues with stepId, path and message', async (code, stepId, path) => {
    const { details, message } = await detailsFor(code, 422);
    expect(details).toStrictEqual({ issues: [{ stepId, path, message: text }] });
    expect(message).toContain(path);
  });

  test('design_invalid are issues with stepId and a message that starts with the path', async () => {
    const { details } = await detailsFor('design_invalid', 422);
    const path = `/variables/${clinic.variables?.length}/id`;
    expect(details).toStrictEqual({
      issues: [{ stepId: '', message: expect.stringContaining(`${path}: `) }],
    });
    expect(details.issues[0].message.startsWith(path)).toBe(true);
  });

  test('plan_limit_exceeded are resource, limit, current and plan', async () => {
    const { details } = await detailsFor('plan_limit_exceeded', 422);
    const current = Object.keys(clinic.steps).length + 250;
    expect(details).toStrictEqual({ resource: 'steps', limit: 250, current, plan: 'pro' });
  });

  test('not_found are absent', async () => {
    expect(await detailsFor('not_found', 404)).not.toHaveProperty('details');
  });

  test('an error name up to 100 places of its code', async () => {
    const damaged: ReturnType<typeof JSON.parse> = structuredClone(clinic);
    damaged.entry.alternates = Array.from({ length: 150 }, (_, index) => `nobody-${index}`);
    damaged.variables.push(damaged.variables[0]);
    const { details, message } = refused(
      await project.write(conversationId, damaged),
      422,
      'invalid_transition',
    );
    expect(details.issues).toHaveLength(100);
    expect(details.issues[99].path).toBe('/entry/alternates/99');
    expect(message).toContain('at least 99 more');
    expect(errorCodes(await project.problems(conversationId, damaged))).toHaveLength(100);
  });
});
