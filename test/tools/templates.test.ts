import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { filledDesign } from '../../src/resources/catalogue/fill.ts';
import { templateOf, templates } from '../../src/resources/catalogue/templates/index.ts';
import { created, type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openDesignProject(world, { plan: 'free' });
});
afterAll(() => world.close());

const issues = (error: { details: { issues: { path: string; message: string }[] } }) => error.details.issues;

/** The required fields of a template, with its samples as values. */
const requiredOf = (key: string) =>
  Object.fromEntries(
    (templateOf(key)?.fields ?? [])
      .filter(({ required }) => required)
      .map((field) => [field.key, field.sample]),
  );
const receptionist = { templateKey: 'receptionist', templateFields: requiredOf('receptionist') };

test('returns exactly the members of a template entry', async () => {
  const { status, body } = await project.call('GET', '/v1/catalogue/templates');
  expect(status).toBe(200);
  expect(body).toStrictEqual({
    templates: templates.map(({ key, name, description, icon, fields }) => ({
      key,
      name,
      description,
      icon,
      skills: expect.any(Array),
      fields: fields.map((field) => ({
        key: field.key,
        label: field.label,
        kind: field.kind,
        required: field.required,
      })),
    })),
  });
  const skills = Object.fromEntries(
    body.templates.map(({ key, skills: of }: { key: string; skills: object[] }) => [key, of]),
  );
  expect(skills['receptionist']).toStrictEqual([
    { key: 'answerQuestions', availability: 'included' },
    { key: 'collectDetails', availability: 'included' },
    { key: 'transferCalls', availability: 'included' },
    { key: 'sendSms', availability: 'beta' },
  ]);
  expect(skills['order-status']).toContainEqual({ key: 'lookUpData', availability: 'included' });
  expect(skills['support-call-log']).toContainEqual({ key: 'recordWithConsent', availability: 'beta' });
});

describe('a conversation from a template', () => {
  test.each(templates)('with the required fields of $key is active and has no problems', async (template) => {
    const templateFields = requiredOf(template.key);
    const { id } = created(await project.create({ templateKey: template.key, templateFields }));
    const { body: design } = await project.read(id, 1);
    const { compliance, ...rest } = design;
    expect(rest).toStrictEqual(filledDesign(template, templateFields));
    for (const verdict of Object.values(compliance.aiDisclosure))
      expect(verdict).toMatchObject({ status: 'approved' });
    expect(await project.problems(id, design)).toStrictEqual([]);
    expect(await project.versions(id)).toMatchObject([{ n: 1, isActive: true }]);
    const { body } = await project.call('POST', `/v1/conversations/${id}/designs/prove`, {});
    expect(body.holds).toBe(true);
  });

  test('has the given values, and samples for the missing optional fields', async () => {
    const own = { businessName: 'Café "Zur Post" & Söhne', transferNumber: '+442079460123' };
    const templateFields = { ...receptionist.templateFields, ...own };
    const { id } = created(await project.create({ ...receptionist, templateFields }));
    const { body } = await project.read(id, 1);
    expect(body.steps.welcome.introLine).toBe(
      'Hello, you have reached Café "Zur Post" & Söhne. I\'m Robin, the AI assistant.',
    );
    expect(body.steps.putThrough.destination.value).toBe('+442079460123');
    expect(body.hooks.after.nodes.tellTeam.sendSms.to.literalString).toBe('+12025550144');
    expect(JSON.stringify(body)).not.toMatch(/\[\[/);
  });

  test.each(templates)('from $key is a draft that cannot go live while a sample is left', async ({ key }) => {
    const answer = await project.create({ templateKey: key, templateSamples: true });
    const { id, activeVersion, warnings } = created(answer);
    expect(activeVersion).toBe(1);
    expect(warnings.length).toBeGreaterThan(0);
    const { body: design } = await project.read(id, 2);
    const { details } = refused(await project.activate(id, 2), 422, 'design_invalid');
    expect(details.issues.length).toBeGreaterThan(0);
    expect(details.issues).toHaveLength(
      (JSON.stringify(design.steps) + JSON.stringify(design.hooks ?? {})).split(/"(?:[^"\\]|\\.)*\[\[\w+: /)
        .length - 1,
    );
    for (const { message } of details.issues) expect(message).toMatch(/^\/(steps|hooks)\/.*sample/);
    const copy = created(await project.create({ design }));
    refused(await project.activate(copy.id, 2), 422, 'design_invalid');
  });

  test('requires its required fields, and names those that are missing', async () => {
    const { businessName: _, ...templateFields } = receptionist.templateFields;
    const told = issues(
      refused(await project.create({ ...receptionist, templateFields }), 400, 'invalid_request'),
    );
    expect(told).toMatchObject([{ path: '/templateFields/businessName' }]);
    refused(await project.create({ templateSamples: true }), 400, 'invalid_request');
  });

  test('can be created over MCP from what list_templates returns', async () => {
    const client = await world.mcp('modern http', project.key, { toolsets: 'conversations' });
    const list = await client.callTool({ name: 'list_templates', arguments: {} });
    const found = list.structuredContent?.['templates'] as { key: string; required: string[] }[];
    expect(found.find(({ key }) => key === 'faq')?.required).toContain('questions');
    const input = { projectId: project.projectId, name: 'Questions', templateKey: 'faq' };
    const templateFields = { ...requiredOf('faq'), questions: 'Are you open? Yes.' };
    const made = await client.callTool({
      name: 'create_conversation',
      arguments: { ...input, templateFields },
    });
    const { body } = await project.read(String(made.structuredContent?.['id']), 1);
    expect(body.steps.answers.facts).toBe('Are you open? Yes.');

    const wrong = { ...input, templateKey: 'faqs' };
    const { isError, content } = await client.callTool({ name: 'create_conversation', arguments: wrong });
    expect(isError).toBe(true);
    expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({
      error: { code: 'not_found', message: 'There is no template "faqs".' },
      hint: expect.stringMatching(/^The keys are receptionist, .*\bfaq\b/),
    });
  });
});

describe('create_conversation returns 400 and writes nothing for', () => {
  const list = async () =>
    (await project.call('GET', `/v1/projects/${project.projectId}/conversations`)).body.conversations;

  test('unknown fields and invalid values, all at once', async () => {
    const templateFields = {
      businessName: 'One\ntwo',
      businessFacts: '{{secret.CRM_TOKEN}}',
      transferNumber: 'reception',
      notifyNumber: '+12025550144',
      'a/b': 'x',
      constructor: 'x',
    };
    const answer = await project.create({ ...receptionist, templateFields });
    const told = issues(refused(answer, 400, 'invalid_request'));
    expect(told.map(({ path }) => path).toSorted()).toStrictEqual([
      '/templateFields/a~1b',
      '/templateFields/businessFacts',
      '/templateFields/businessName',
      '/templateFields/constructor',
      '/templateFields/transferNumber',
    ]);
    expect(told.find(({ path }) => path.endsWith('constructor'))?.message).toContain(
      'Its fields are: businessName, ',
    );
    expect(await list()).toStrictEqual([]);
  });

  test('values that cannot be stored as text', async () => {
    for (const text of [7, null, ['x'], 'a\0b', 'x'.repeat(10_000), 'x'.repeat(10_001)]) {
      const answer = await project.create({
        ...receptionist,
        templateFields: { ...receptionist.templateFields, businessName: text },
      });
      expect(issues(refused(answer, 400, 'invalid_request'))).toMatchObject([
        { in: 'body', path: '/templateFields/businessName' },
      ]);
    }
  });

  test('inputs that exclude each other', async () => {
    const cases: [body: Record<string, unknown>, path: string][] = [
      [{ templateKey: 'receptionist', design: starterDesign }, '/templateKey'],
      [{ templateFields: { businessName: 'Sunny Dental' } }, '/templateFields'],
      [{ design: starterDesign, templateFields: {} }, '/templateFields'],
      [{ templateKey: '' }, '/templateKey'],
    ];
    for (const [body, path] of cases)
      expect(issues(refused(await project.create(body), 400, 'invalid_request'))).toMatchObject([{ path }]);
    refused(await project.create({ ...receptionist, kind: 'simple' }), 501, 'not_yet_supported');
    for (const templateKey of ['Receptionist', 'constructor', '__proto__'])
      refused(await project.create({ templateKey, templateFields: { x: 'y' } }), 404, 'not_found');
    expect(await list()).toStrictEqual([]);
  });

  test('a value that breaks the disclosure of the AI', async () => {
    const templateFields = { ...receptionist.templateFields, assistantName: 'Robin, a human being and not' };
    const answer = await project.create({ ...receptionist, templateFields });
    const { details } = refused(answer, 422, 'ai_disclosure_required');
    expect(details.issues).toMatchObject([{ stepId: 'welcome', path: '/steps/welcome/introLine' }]);
    expect(await list()).toStrictEqual([]);
  });
});
