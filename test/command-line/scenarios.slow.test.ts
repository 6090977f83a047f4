import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newHome, parley } from '../helpers/parley.ts';
import { openSimulationProject, type SimulationProject, shop } from '../helpers/simulation-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: SimulationProject;
let conversationId: string;
beforeAll(async () => {
  world = await openWorld({ models: undefined });
  project = await openSimulationProject(world);
  conversationId = await project.conversationOf(shop);
});
afterAll(() => world.close());

const scenarios = (command: string, args: readonly string[]) =>
  parley(['scenarios', command, conversationId, ...args], {
    DATABASE_URL: world.databaseUrl,
    PARLEY_HOME: newHome(),
    PARLEY_API_KEY: project.key,
    PARLEY_SECRET_KEY: world.environment.PARLEY_SECRET_KEY,
  });

const folder = mkdtempSync(path.join(tmpdir(), 'parley-scenarios-'));

test('scenarios go from a file to the server and back, and run with a report in JUnit XML', async () => {
  const [file, pulled, junit] = ['scenarios.json', 'pulled.json', 'junit.xml'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  const person = { text: 'Help!', understood: { option: 'person' } };
  const written = {
    scenarios: [
      { name: 'A <person> & "more"', tags: [], caller: { script: [person] }, expect: [{ neverSays: 'AI' }] },
      { name: 'Hangs up', tags: ['short'], caller: { script: [{ hangUp: true }] } },
    ],
  };
  writeFileSync(file, JSON.stringify(written));
  const pushed = await scenarios('push', [file]);
  expect(pushed).toMatchObject({
    code: 1,
    stderr: '',
    stdout: 'FAILS   A <person> & "more" (new)\npasses  Hangs up (new)\n',
  });
  expect(await scenarios('pull', [pulled])).toMatchObject({ code: 0, stderr: '', stdout: '' });
  expect(JSON.parse(readFileSync(pulled, 'utf8'))).toEqual(written);

  const ran = await scenarios('run', ['--junit', junit]);
  expect(ran).toMatchObject({ code: 1, stderr: '' });
  expect(ran.stdout.split('\n')).toEqual([
    'FAILS   A <person> & "more"',
    '          {"neverSays":"AI"}: said at hello: Hello, I am an AI assistant. Your order is unknown.',
    'passes  Hangs up',
    '1 passed, 1 failed.',
    '',
  ]);
  const cases: unknown[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    cases.push([name, attributes['name'] ?? attributes['message']]);
  });
  parser.write(readFileSync(junit, 'utf8')).close();
  expect(cases).toEqual([
    ['testsuite', 'parley scenarios'],
    ['testcase', 'A <person> & "more"'],
    ['failure', 'said at hello: Hello, I am an AI assistant. Your order is unknown.'],
    ['testcase', 'Hangs up'],
  ]);
  expect(await scenarios('run', ['--tag', 'short'])).toMatchObject({ code: 0 });
  expect(await scenarios('run', ['--tag', 'none'])).toMatchObject({ code: 1 });
  writeFileSync(file, '{}');
  expect(await scenarios('push', [file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has no list "scenarios"'),
  });
});
