import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { type NumberProject, nextNumber, openNumberProject } from '../helpers/number-project.ts';
import { newHome, parley } from '../helpers/parley.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: NumberProject;
beforeAll(async () => {
  world = await openWorld();
  project = await openNumberProject(world, { plan: 'starter' });
});
afterAll(() => world.close());

const add = (...args: string[]) =>
  parley(['number', 'add', ...args], { DATABASE_URL: world.databaseUrl, PARLEY_HOME: newHome() });

test('adds a native number with its handler, which counts towards the plan', async () => {
  const [flow, conversation] = [await project.newFlow(), await project.newConversation()];
  const numbers = [nextNumber(), nextNumber(), nextNumber()] as const;
  const to = ['--project', project.projectId, '--number'];
  const first = await add(...to, numbers[0], '--name', 'Front desk', '--flow', flow, '--json');
  expect(first, first.stderr).toMatchObject({ code: 0, stderr: '' });
  const { phoneNumberId } = JSON.parse(first.stdout);
  expect(JSON.parse(first.stdout)).toStrictEqual({ phoneNumberId, number: numbers[0] });
  expect(await project.read(phoneNumberId)).toMatchObject({
    type: 'native',
    name: 'Front desk',
    number: numbers[0],
    status: 'enabled',
    externalPhoneFields: null,
    handler: { kind: 'flow', id: flow },
  });
  const second = await add(...to, numbers[1], '--conversation', conversation);
  const [, id = ''] = /^phoneNumberId: (cpn\w+)\nnumber: \+\d+\n$/.exec(second.stdout) ?? [];
  expect(await project.read(id)).toMatchObject({
    name: numbers[1],
    handler: { kind: 'conversation', id: conversation },
  });
  expect((await project.importNumber()).status).toBe(201);
  const over = await add(...to, numbers[2]);
  expect(over).toStrictEqual({
    code: 1,
    stdout: '',
    stderr: 'parley: The plan starter allows 3 phoneNumbers.\n',
  });
});

test('reports a rejected number in one line, and adds nothing', async () => {
  const [own, other] = [await openNumberProject(world), await openNumberProject(world)];
  const number = nextNumber();
  expect((await add('--project', own.projectId, '--number', number)).code).toBe(0);
  const count = async () => (await world.rows('select 1 from phone_numbers')).length;
  const before = await count();
  const [missing, flow] = [newId('project'), await other.newFlow()];
  const fresh = ['--number', nextNumber()];
  const rejections: [args: string[], says: string][] = [
    [['--project', own.projectId, '--number', number], `The number ${number} is in this project already.`],
    [['--project', other.projectId, '--number', number], `The number ${number} is in use.`],
    [['--project', missing, ...fresh], `There is no project ${missing} in this database.`],
    [['--project', own.projectId, ...fresh, '--flow', flow], `There is no flow ${flow} in this project.`],
    [
      ['--project', own.projectId, ...fresh, '--conversation', flow],
      `There is no conversation ${flow} in this project.`,
    ],
  ];
  for (const [args, says] of rejections)
    expect(await add(...args)).toStrictEqual({ code: 1, stdout: '', stderr: `parley: ${says}\n` });
  expect(await count()).toBe(before);
});

test('adds a native number to only one of two projects at once', async () => {
  const projects = [await openNumberProject(world), await openNumberProject(world)];
  const number = nextNumber();
  const outcomes = await Promise.all(
    projects.map(({ projectId }) => add('--project', projectId, '--number', number)),
  );
  expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set([0, 1]));
  expect(outcomes.map(({ stderr }) => stderr).join('')).toBe(`parley: The number ${number} is in use.\n`);
});
