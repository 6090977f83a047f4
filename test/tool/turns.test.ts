import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../helpers/world.ts';
import { type DesignProject, openDesignProject } from '../tools/design-project.ts';

let world: World;
let hostile: DesignProject;
let other: DesignProject;
let conversationId: string;
beforeAll(async () => {
  world = await openWorld();
  [hostile, other] = [await openDesignProject(world), await openDesignProject(world)];
  conversationId = await hostile.newConversation();
});
afterAll(() => world.close());

const wrongDesign = {
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'a' },
    steps: {},
    variables: Array.from({ length: 60_000 }, () => ({})),
  },
};

test('a project that validates many large designs keeps the read of another one waiting for a few of them', async () => {
  const done: string[] = [];
  const call = async (who: string, sent: Promise<{ status: number }>, expected: number) => {
    expect((await sent).status).toBe(expected);
    done.push(who);
  };
  const text = JSON.stringify(wrongDesign);
  const path = `/v1/conversations/${conversationId}/designs/validate`;
  const large = Array.from({ length: 16 }, () =>
    call('hostile', world.rest('POST', path, { key: hostile.key, body: text }), 200),
  );
  // Once the first large call is done, all of them have arrived.
  await Promise.race(large);
  done.length = 0;
  const small = call('other', other.call('GET', `/v1/projects/${other.projectId}`), 200);
  await Promise.all([...large, small]);
  expect(done.indexOf('other')).toBeLessThanOrEqual(5);
});
