import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPractice, startWorkers } from '../../evals/practice.ts';
import { tasks } from '../../evals/tasks/index.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let workers: Awaited<ReturnType<typeof startWorkers>>;
beforeAll(async () => {
  world = await openWorld();
  workers = await startWorkers(world);
});
afterAll(async () => {
  await workers.stop();
  await world.close();
});

const all = Object.entries(tasks).flatMap(([kind, members]) =>
  members.map((task) => ({ name: `${kind}: ${task.name}`, task })),
);

test('there are 106 tasks with names of their own', () => {
  expect(all).toHaveLength(106);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

test.each(all)('$name is solved by its recorded calls, and by nothing less', async ({ task }) => {
  const right = await openPractice(world, task);
  expect(await right.judge(''), 'before the calls').toBe(false);
  const answer = await right.replay(task.calls, task.answer);
  expect(await right.judge(answer), 'after the calls').toBe(true);
  if (task.wrong.calls === undefined)
    expect(await right.judge(task.wrong.answer ?? ''), 'with a wrong answer').toBe(false);
  await right.close();
  if (task.wrong.calls === undefined) return;

  const wrong = await openPractice(world, task);
  const told = await wrong.replay(task.wrong.calls, task.wrong.answer ?? task.answer);
  expect(await wrong.judge(told), 'after a wrong solution').toBe(false);
  await wrong.close();
});

test('a change beside the task counts as a failure', async () => {
  const [task] = tasks.explain;
  if (!task) throw new Error('there is no task');
  const practice = await openPractice(world, task);
  await practice.replay([...task.calls, ['update_flow', { flowId: '$night', name: 'Renamed' }]]);
  expect(await practice.judge(task.answer ?? '')).toBe(false);
  await practice.close();
});

test('a change of another record counts as a failure, even if the task may change its area', async () => {
  const task = tasks['second-blind'].find(({ name }) => name === 'Holiday line on the spare number');
  if (!task) throw new Error('there is no task');
  const practice = await openPractice(world, task);
  await practice.replay(task.calls);
  expect(await practice.judge('')).toBe(true);
  await practice.replay([['update_flow', { flowId: '$night', name: 'Renamed' }]]);
  expect(await practice.judge('')).toBe(false);
  await practice.close();
});
