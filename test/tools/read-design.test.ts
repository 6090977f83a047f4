import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Design, Step } from '../../src/design/schema/design.ts';
import { disclosedDesign } from '../designs/disclosed.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { type DesignProject, openDesignProject, refused } from './design-project.ts';

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
  if (!design) throw new Error(`there is no ${name}`);
  return design;
}

test.each(['clinic', 'public-office', 'unusual-ids'])(
  '%s comes back as it was sent, the order of its members included, but for our own verdicts',
  async (name) => {
    const { id, sent } = written(name);
    const { body } = await project.read(id, 1);
    const { compliance, ...rest } = body;
    const { compliance: _, ...expected } = sent;
    expect(JSON.stringify(rest)).toBe(JSON.stringify(expected));
    expect(Object.keys(compliance)).toEqual(['aiDisclosure']);
  },
);

test('some steps are answered in the order that was asked for, as they stand in the design', async () => {
  const { id, sent } = written('clinic');
  const [first = '', second = '', ...more] = Object.keys(sent.steps);
  for (const stepIds of [[first], [second, first], [first, ...more], [first, first]]) {
    const { status, body } = await project.read(id, 1, `?steps=${stepIds.join(',')}`);
    expect(status).toBe(200);
    const steps = Object.fromEntries(stepIds.map((stepId) => [stepId, sent.steps[stepId]]));
    expect(JSON.stringify(body)).toBe(JSON.stringify({ n: 1, steps }));
  }
});

test('every step can be asked for by its id, over MCP also one with a comma in it', async () => {
  const { id, sent } = written('unusual-ids');
  const client = await world.mcp('modern http', project.key);
  expect(Object.keys(sent.steps)).toContain('a,b');
  for (const [stepId, step] of Object.entries(sent.steps)) {
    const expected = JSON.stringify({ n: 1, steps: { [stepId]: step } });
    const input = { conversationId: id, n: 1, steps: [stepId] };
    const { content } = await client.callTool({ name: 'read_design', arguments: input });
    expect(content[0]?.text).toBe(expected);
    if (stepId.includes(',')) continue;
    const { body } = await project.read(id, 1, `?steps=${encodeURIComponent(stepId)}`);
    expect(JSON.stringify(body)).toBe(expected);
  }
});

test.each(['nobody', 'constructor', 'toString', ' '])(
  'the absent step %j is 404, told by its id',
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

describe('what is asked for is held to its bounds', () => {
  test.each([
    ['no step', 'steps=', ['/steps']],
    ['too many steps', `steps=${Array(251).fill('a').join(',')}`, ['/steps']],
    ['an outline that is neither true nor false', 'outline=1', ['/outline']],
    ['steps and an outline', 'steps=welcome&outline=true', ['/outline']],
    ['both of them wrong, and an unknown name', 'steps=&outline=&kind=x', ['/kind', '/steps', '/outline']],
  ])('%s', async (_, query, expected) => {
    const answer = await project.read(written('clinic').id, 1, `?${query}`);
    const { details } = refused(answer, 400, 'invalid_request');
    expect(details.issues.map(({ path }: { path: string }) => path)).toEqual(expected);
  });

  test('steps without an outline, and an outline that is not wanted, are accepted', async () => {
    const { id } = written('clinic');
    for (const query of ['steps=welcome&outline=false', 'outline=false'])
      expect((await project.read(id, 1, `?${query}`)).status).toBe(200);
  });
});

describe('the outline', () => {
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

  test.each(['clinic', 'public-office', 'unusual-ids'])(
    'of %s has every step, node and entry, and none of their texts',
    async (name) => {
      const { id, sent } = written(name);
      const { body: design } = await project.read(id, 1);
      const { body } = await project.read(id, 1, '?outline=true');
      const ids = (items: readonly { id: string }[] = []) => items.map((item) => item.id);
      const { steps, hooks, ...frame } = body;
      expect(frame).toStrictEqual({
        n: 1,
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
        }));
        expect(hooks[phase]).toEqual(shown);
      }
    },
  );

  /** Where a step leads, by what each exit is called: an option by its id. */
  function leadsTo(step: Step): Record<string, string> {
    const options = step.kind === 'route' ? step.options : [];
    const chosen = options.flatMap(({ id, target }) => (target === undefined ? [] : [[id, target] as const]));
    return Object.fromEntries([...chosen, ...Object.entries('on' in step ? (step.on ?? {}) : {})]);
  }
});
