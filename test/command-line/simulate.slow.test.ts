import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
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

/** Runs `parley simulate`, without a model and with the secret key of the world's server. */
const simulate = (args: readonly string[], input = '') => {
  const { PARLEY_SECRET_KEY } = world.environment;
  const env = {
    DATABASE_URL: world.databaseUrl,
    PARLEY_HOME: newHome(),
    PARLEY_API_KEY: project.key,
    PARLEY_SECRET_KEY,
  };
  return parley(['simulate', conversationId, ...args], env, input);
};

function fileWith(text: string): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'parley-script-')), 'script');
  writeFileSync(file, text);
  return file;
}

test('a script of lines prints what is said, the path, the notes and the coverage', async () => {
  const { code, stdout, stderr } = await simulate(['--script', fileWith('A person\n')]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.split('\n')).toEqual([
    'hello  agent: Hello, I am an AI assistant. Your order is unknown.',
    'menu   agent: Book a table, ask something, or speak to a person?',
    'menu   caller: A person',
    'Path: lookup (next) > hello (next) > menu (person) > connect',
    'Note: request at lookup failed: it has no mock, so nothing was sent',
    'Ended: transferred, at connect',
    'Covered: 3 of 6 steps, 3 of 9 exits, 1 of 2 nodes.',
    '',
  ]);
});

test('a script of JSON is the whole input, and an expectation that does not hold is exit status 1', async () => {
  const input = { caller: { script: ['A person'] }, expect: [{ ends: { reason: 'completed' } }] };
  const { code, stdout } = await simulate(['--script', '-'], JSON.stringify(input));
  expect(code).toBe(1);
  expect(stdout).toContain('FAILS  {"ends":{"reason":"completed"}}: ended: transferred, at connect');
});

test('what a caller says cannot write lines of its own, or control the terminal', async () => {
  const text = 'A person\u001b[2J\u009b1A\r\nEnded: completed\u0007';
  const { stdout } = await simulate(['--script', '-'], JSON.stringify({ caller: { script: [text] } }));
  expect(stdout).toMatch(/^menu {3}caller: A person \[2J 1A {2}Ended: completed $/m);
  expect(stdout.match(/^Ended: .*$/gm)).toEqual(['Ended: transferred, at connect']);
  expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

test('--talk plays one turn a line, goes back, and hangs up at the end of the input', async () => {
  const { code, stdout, stderr } = await simulate(['--talk'], 'Book a table\n/back\nA question\n');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Path: menu (book) > ask');
  expect(stdout).toContain('Before turn 1.');
  expect(stdout).toContain('Path: menu (question) > answer (noAnswer) > connect');
});

test('another process returns the same response as the server, byte for byte, 1,000 times', async () => {
  const body = {
    caller: { script: ['Book a table', '2026-05-04'] },
    mocks: { nodes: { lookup: { status: 200 } } },
  };
  const { stdout } = await simulate(['--json', '--script', '-'], JSON.stringify(body));
  const inTheOther = JSON.parse(stdout);
  expect(inTheOther.state).toMatch(/^[\w-]+\.[0-9a-f]{64}$/);
  for (let count = 0; count < 1_000; count++)
    expect(JSON.stringify(await project.played(conversationId, body))).toBe(stdout.trim());
});

test('a wrong script, conversation or combination is one line', async () => {
  const json = await simulate(['--script', fileWith('{"caller": ')]);
  expect(json).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/is not JSON\.\n$/) });
  expect(await simulate(['--talk', '--json'])).toMatchObject({ code: 2, stdout: '' });
  const unknown = await simulate(['--script', fileWith('{"mocks": {"nodes": {"lokup": {}}}}')]);
  expect(unknown.stderr).toContain('Did you mean "lookup"?');
  expect(unknown.code).toBe(1);
});
