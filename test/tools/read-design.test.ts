import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Design, Step } from '../../src/design/schema/design.ts';
import { disclosedDesign } from '../designs/disclosed.ts';
import { type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
const designs = new Map<string, { id: string; sent: Design }>();
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  for (const name of ['clinic', 'public-office', 'unusual-ids']) {
    const sent = await disclosedDesign(world, project, name);
    designs.set(name, { id: await project.newConversation({ design: sent }), sent });
  }
});
afterAll(() => world.close());

function written(name: string) {
  const design = designs.get(name);
  if (!design) throw new Error(`the design ${name} is not stored`);
  return design;
}

test.each(['clinic', 'public-office', 'unusual-ids'])(
  'returns %s as it was sent, in the same order of members, apart from the verdicts',
  async (name) => {
    const { id, sent } = written(name);
    const { body } = await project.read(id, 1);
    const { compliance, ...rest } = body;
    const { compliance: _, ...expected } = sent;
    expect(JSON.stringify(rest)).toBe(JSON.stringify(expected));
    expect(Object.keys(compliance)).toEqual(['aiDisclosure']);
  },
);

test('returns the requested steps unchanged, in the requested order', async () => {
  const { id, sent } = written('clinic');
  const [first = '', second = '', ...more] = Object.keys(sent.steps);
  for (const stepIds of [[first], [second, first], [first, ...more], [first, first]]) {
    const { status, body } = await project.read(id, 1, `?steps=${stepIds.join(',')}`);
    expect(status).toBe(200);
    const steps = Object.fromEntries(stepIds.map((stepId) => [stepId, sent.steps[stepId]]));
    expect(JSON.stringify(body)).toBe(JSON.stringify({ version: 1, steps }));
  }
});

test('returns every step by id, over MCP also if the id contains a comma', async () => {
  const { id, sent } = written('unusual-ids');
  const client = await world.mcp('modern http', project.key);
  expect(Object.keys(sent.steps)).toContain('a,b');
  for (const [stepId, step] of Object.entries(sent.steps)) {
    const expected = JSON.stringify({ steps: { [stepId]: step } }).slice(1);
    const input = { conversationId: id, version: 1, steps: [stepId] };
    const { content } = await client.callTool({ name: 'read_design', arguments: input });
    expect(content[0]?.text).toBe(`{"version":1,${expected}`);
    if (stepId.includes(',')) continue;
    const { body } = await project.read(id, 1, `?steps=${encodeURIComponent(stepId)}`);
    expect(JSON.stringify(body)).toBe(`{"version":1,${expected}`);
  }
});

test.each(['nobody', 'constructor', 'toString', ' '])(
  'returns 404 for the unknown step %j and names it',
  async (stepId) => {
    const { id, sent } = written('clinic');
    const [first = ''] = Object.keys(sent.steps);
    const { message } = refused(
      await project.read(id, 1, `?steps=${first},${encodeURIComponent(stepId)}`),
      404,
      'not_found',
    );
    expect(message).toContain(JSON.stringify(stepId));
  },
);

describe('invalid queries', () => {
  test.each([
    ['an empty list of steps', 'steps=', ['/steps']],
    ['too many steps', `steps=${Array(251).fill('a').join(',')}`, ['/steps']],
    ['an outline that is not a boolean', 'outline=1', ['/outline']],
    ['steps and an outline', 'steps=welcome&outline=true', ['/outline']],
    [
      'steps and outline both invalid, and an unknown parameter',
      'steps=&outline=&kind=x',
      ['/kind', '/steps', '/outline'],
    ],
  ])('returns 400 for %s', async (_, query, expected) => {
    const answer = await project.read(written('clinic').id, 1, `?${query}`);
    const { details } = refused(answer, 400, 'invalid_request');
    expect(details.issues.map(({ path }: { path: string }) => path)).toEqual(expected);
  });

  test('returns the steps if outline is false', async () => {
    const { id } = written('clinic');
    for (const query of ['steps=welcome&outline=false', 'outline=false'])
      expect((await project.read(id, 1, `?${query}`)).status).toBe(200);
  });
});

describe('the outline', () => {
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

  test.each(['clinic', 'public-office', 'unusual-ids'])(
    'of %s has every step, node and entry, without their texts',
    async (name) => {
      const { id, sent } = written(name);
      const { body: design } = await project.read(id, 1);
      const { body } = await project.read(id, 1, '?outline=true');
      const ids = (items: readonly { id: string }[] = []) => items.map((item) => item.id);
      const { steps, hooks, ...frame } = body;
      expect(frame).toStrictEqual({
        version: 1,
        schemaVersion: 'cd/1',
        entry: sent.entry,
        bytes: bytes(design),
        variables: ids(sent.variables),
        knowledge: ids(sent.knowledge),
        integrations: ids(sent.integrations),
      });
      const outlined = Object.entries(sent.steps).map(([stepId, step]) => [
        stepId,
        step.kind,
        step.name,
        Object.entries(leadsTo(step)),
        bytes(step),
      ]);
      const told = steps.map((step: { exits: object } & Record<string, unknown>) => [
        step['id'],
        step['kind'],
        step['name'],
        Object.entries(step.exits),
        step['bytes'],
      ]);
      expect(told).toEqual(outlined);
      for (const phase of ['before', 'after'] as const) {
        const nodes = Object.values(sent.hooks?.[phase]?.nodes ?? {});
        const shown = nodes.map(({ id: nodeId, name: called, next: _, ...blocks }) => ({
          id: nodeId,
          ...(called !== undefined && { name: called }),
          blocks: Object.keys(blocks),
          // The project has no secrets.
          ...(blocks.webhook && { signedWith: null }),
        }));
        expect(hooks[phase]).toEqual(shown);
      }
    },
  );

  /** The targets of a step by the name of the exit; the name of an option is its id. */
  function leadsTo(step: Step): Record<string, string> {
    const options = step.kind === 'route' ? step.options : [];
    const chosen = options.flatMap(({ id, target }) => (target === undefined ? [] : [[id, target] as const]));
    return Object.fromEntries([...chosen, ...Object.entries('on' in step ? (step.on ?? {}) : {})]);
  }
});
