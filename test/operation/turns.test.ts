import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EventLoopTurns } from '../../src/platform/turns.ts';
import { type DesignProject, openDesignProject } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

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
  // Without turns, it would come last. How many large calls have begun before it depends on the load of the machine.
  expect(done.indexOf('other')).toBeLessThan(large.length / 2);
});

describe('between two pieces of work', () => {
  /** Does two pieces of work that take so many milliseconds each, and counts the iterations of the event loop between them. */
  async function iterationsBetween(milliseconds: number): Promise<number> {
    const turns = new EventLoopTurns();
    const spin = () => {
      for (const began = performance.now(); performance.now() - began < milliseconds; );
    };
    let iterations = 0;
    let counting: NodeJS.Immediate | undefined;
    const count = () => {
      iterations += 1;
      counting = setImmediate(count);
    };
    const doOne = async () => {
      await turns.take('one');
      spin();
      counting = setImmediate(count);
    };
    const doTwo = async () => {
      await turns.take('two');
      clearImmediate(counting);
      spin();
    };
    await Promise.all([doOne(), doTwo()]);
    return iterations;
  }

  test('the event loop goes on to other work once if they are short', async () => {
    expect(await iterationsBetween(1)).toBeLessThanOrEqual(1);
  });

  test('it has time for many calls if they are long', async () => {
    expect(await iterationsBetween(40)).toBeGreaterThan(10);
  });
});
