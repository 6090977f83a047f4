import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { newId } from '../../src/platform/id.ts';
import { disclosing } from '../designs/disclosed.ts';
import {
  type DesignProject,
  newIntegration,
  newKnowledgeBase,
  openDesignProject,
  refused,
} from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
let sibling: DesignProject;
let stranger: DesignProject;
let conversationId: string;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  sibling = await openDesignProject(world, { organizationId: project.organizationId });
  stranger = await openDesignProject(world);
  conversationId = await project.newConversation();
});
afterAll(() => world.close());

const end: Design = { schemaVersion: 'cd/1', entry: { stepId: 'end' }, steps: { end: { kind: 'end' } } };

/** Each kind of record that a design may name, how to create one, and a design that names it. */
const named: readonly {
  what: string;
  code: string;
  status: number;
  path: string;
  record: (of: DesignProject) => Promise<string>;
  design: (id: string) => Design;
}[] = [
  {
    what: 'a knowledge base',
    code: 'not_found',
    status: 404,
    path: '/knowledge/0/knowledgeBaseId',
    record: (of) => newKnowledgeBase(world, of),
    design: (id) => ({ ...end, knowledge: [{ id: 'faq', kind: 'knowledgeBase', knowledgeBaseId: id }] }),
  },
  {
    what: 'the conversation of a transfer',
    code: 'not_found',
    status: 404,
    path: '/steps/end/destination/value',
    record: (of) => of.newConversation(),
    design: (id) => ({
      ...end,
      entry: { stepId: 'hello' },
      steps: {
        hello: { kind: 'greeting', introLine: disclosing, on: { next: 'end' } },
        end: { kind: 'transfer', destination: { kind: 'conversation', value: id } },
      },
    }),
  },
  {
    what: 'an integration',
    code: 'unknown_integration_ref',
    status: 422,
    path: '/integrations/0/integrationId',
    record: (of) => newIntegration(world, of),
    design: (id) => ({ ...end, integrations: [{ id: 'crm', kind: 'crm', integrationId: id }] }),
  },
];

test.each(named)('accepts $what of the project', async ({ record, design }) => {
  const own = design(await record(project));
  expect(await project.problems(conversationId, own)).toEqual([]);
  for (const answer of [await project.write(conversationId, own), await project.create({ design: own })])
    expect(answer.status).toBe(201);
});

test.each(named)(
  'refuses $what that is foreign, missing or of another kind, with the same message',
  async ({ record, design, code, status, path }) => {
    const foreign = await Promise.all([sibling, stranger].map(record));
    const ids = [...foreign, newId('knowledgeBase'), newId('conversation'), newId('integration'), 'nobody'];
    const words = new Set<string>();
    for (const id of ids) {
      const alike = (said: unknown) => words.add(JSON.stringify(said).replaceAll(id, 'ID'));
      const wrong = design(id);
      const problems = await project.problems(conversationId, wrong);
      expect(problems).toMatchObject([{ code, path, severity: 'error' }]);
      const written = refused(await project.write(conversationId, wrong), status, code);
      const created = refused(await project.create({ design: wrong }), status, code);
      alike([problems, { ...written, requestId: '' }, { ...created, requestId: '' }]);
    }
    expect([...words]).toHaveLength(1);
  },
);
