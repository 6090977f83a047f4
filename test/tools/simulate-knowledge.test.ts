import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { openSimulationProject, type SimulationProject } from '../helpers/simulation-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { storeSite } from '../resources/knowledge/site-documents.ts';

let world: World;
let project: SimulationProject;
let conversationId: string;
beforeAll(async () => {
  world = await openWorld({ models: undefined });
  project = await openSimulationProject(world);
  const { projectId } = project;
  const base = await project.call('POST', `/v1/projects/${projectId}/knowledge-bases`, { name: 'Practice' });
  const text = 'Parking is free behind the house.';
  await storeSite(world.core.knex, projectId, base.body.id, [
    {
      name: 'documents/parking.txt',
      bytes: Buffer.from(text),
      chunks: [{ heading: '', text, language: 'en' }],
    },
  ]);
  conversationId = await project.conversationOf(practice(base.body.id));
});
afterAll(() => world.close());

/** Answers questions from one knowledge base. */
const practice = (knowledgeBaseId: string): Design => ({
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  knowledge: [{ id: 'facts', kind: 'knowledgeBase', knowledgeBaseId }],
  steps: {
    hello: { kind: 'greeting', introLine: 'Hello, I am an AI assistant.', on: { next: 'ask' } },
    ask: {
      kind: 'answer',
      instruction: 'Answer from the facts.',
      knowledgeIds: ['facts'],
      on: { next: 'bye', noAnswer: 'sorry' },
    },
    sorry: { kind: 'message', text: 'I do not know.', on: { next: 'bye' } },
    bye: { kind: 'end', line: 'Goodbye.' },
  },
});

const said = async (body: Record<string, unknown>) => {
  const { transcript } = await project.played(conversationId, body);
  return transcript.flatMap(({ who, text }: { who: string; text: string }) => (who === 'agent' ? text : []));
};

test('answers from the knowledge of the project, unless the simulation has passages', async () => {
  const caller = { script: ['Where is parking?'] };
  expect(await said({ caller })).toContain('Parking is free behind the house.');
  const mocks = { knowledge: { facts: ['Parking costs two euros.'] } };
  const mocked = await said({ caller, mocks });
  expect(mocked).toContain('Parking costs two euros.');
  expect(mocked).not.toContain('Parking is free behind the house.');
});

test('knows nothing that the knowledge of the project does not say', async () => {
  expect(await said({ caller: { script: ['Zebra?'] } })).toContain('I do not know.');
});

test('never searches the knowledge of another project', async () => {
  const other = await openSimulationProject(world);
  const { body } = await project.call('GET', `/v1/projects/${project.projectId}/knowledge-bases`);
  const foreign = await other.conversationOf(practice(body.knowledgeBases[0].id));
  const { transcript } = await other.played(foreign, { caller: { script: ['Where is parking?'] } });
  expect(JSON.stringify(transcript)).not.toContain('behind the house');
});
