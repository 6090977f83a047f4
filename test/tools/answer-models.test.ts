import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import type { ModelsConfig } from '../../src/platform/config/models.ts';
import { disclosing } from '../designs/disclosed.ts';
import { fillsForms } from '../helpers/response-form.ts';
import { openSimulationProject } from '../helpers/simulation-project.ts';
import { openUpstream } from '../helpers/upstream.ts';
import { openWorld, type World } from '../helpers/world.ts';

let upstream: Awaited<ReturnType<typeof openUpstream>>;
let world: World;
let project: Awaited<ReturnType<typeof openSimulationProject>>;
beforeAll(async () => {
  upstream = await openUpstream();
  const provider = { name: 'upstream', baseUrl: upstream.baseUrl, key: 'k' };
  const target = (model: string) => [{ provider, model }] as const;
  const none = { auto: [], models: new Map(), others: undefined };
  const models: ModelsConfig = {
    chat: {
      auto: [{ reasoning: undefined, tier: undefined, model: 'usual' }],
      models: new Map([
        ['usual', target('usual-1')],
        ['careful', target('careful-2')],
      ]),
      others: undefined,
    },
    speech: none,
    transcription: none,
  };
  world = await openWorld({ models });
  project = await openSimulationProject(world);
});
afterAll(async () => {
  await world.close();
  upstream.close();
});

const design = (models: { first?: string; second?: string }): Design => {
  const answer = (model: string | undefined, next: string) => ({
    kind: 'answer' as const,
    instruction: 'Answer.',
    facts: 'We open at nine.',
    maxTurns: 1,
    ...(model !== undefined && { model }),
    on: { next },
  });
  return {
    schemaVersion: 'cd/1',
    entry: { stepId: 'hello' },
    steps: {
      hello: { kind: 'greeting', introLine: disclosing, on: { next: 'first' } },
      first: answer(models.first, 'second'),
      second: answer(models.second, 'bye'),
      bye: { kind: 'end', line: 'Goodbye.' },
    },
  };
};

test('asks the model that an answer step names, and the usual one for the others', async () => {
  upstream.reacts(fillsForms({ answer: { answered: true, text: 'At nine.', done: false } }));
  const conversationId = await project.conversationOf(design({ second: 'careful' }));
  const script = ['When do you open?', 'And when tomorrow?', 'And on Sunday?'];
  const { notes } = await project.played(conversationId, { caller: { script } });
  expect(notes).toEqual([]);
  const asked = upstream.received.map(({ body }) => (body as { model: string }).model);
  expect(new Set(asked)).toEqual(new Set(['usual-1', 'careful-2']));
});

test('refuses a model that there is not, and lists those there are, over REST and MCP', async () => {
  const path = `/v1/projects/${project.projectId}/conversations`;
  const body = { name: 'Desk', design: design({ first: 'clever' }) };
  const { status, body: refusal } = await project.call('POST', path, body);
  expect([status, refusal.error.code]).toEqual([422, 'design_invalid']);
  expect(JSON.stringify(refusal)).toContain('/steps/first/model');
  expect(JSON.stringify(refusal)).toContain('There is no model \\"clever\\" here.');
  const client = await world.mcp('modern http', project.key);
  const { isError, content } = await client.callTool({ name: 'create_conversation', arguments: body });
  expect(isError).toBe(true);
  expect(content[0]?.text).toContain(
    'Choose one of \\"auto\\", \\"usual\\", \\"careful\\", or leave model out.',
  );
  for (const model of ['auto', 'usual']) await project.conversationOf(design({ first: model }));
});

test('describes which models an answer step may name', async () => {
  const { body } = await project.call('GET', '/v1/designs/schema?kind=answer');
  expect(body.schema['x-models']).toEqual(['auto', 'usual', 'careful']);
  expect(body.schema.properties.model.description).toContain('x-models');
});
