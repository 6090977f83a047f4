import { describe, expect, inject, test } from 'vitest';
import { commands } from '../../src/command-line/commands/index.ts';
import { newHome, parley, shell } from '../helpers/parley.ts';

/** Wrong command lines. Each gets one line on stderr, nothing on stdout and exit status 2, without a database. */
const wrong: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [[], /serve, mcp/],
  [['nonsense'], /"nonsense".*serve/],
  [['toString'], /"toString"/],
  [['project'], /"project".*project create/],
  [['project', 'delete'], /project create/],
  [['serve', 'extra'], /extra/],
  [['serve', '--nonsense'], /--nonsense/],
  [['serve', '--no-demo=yes'], /--no-demo/],
  [['migrate', 'now'], /now/],
  [['whoami', 'me'], /me/],
  [['whoami', '--field', 'secret'], /--field.*projectId/],
  [['call'], /TOOL/],
  [['call', 'nonsense'], /nonsense/],
  [['call', 'get_health', 'more'], /more/],
  [['call', 'get_health', '--input'], /--input/],
  [['call', 'get_health', '--input', '{no'], /--input is not JSON/],
  [['call', 'get_health', '--input', '[]'], /--input takes a JSON object/],
  [['call', 'get_health', '--input', 'null'], /--input takes a JSON object/],
  [['project', 'create'], /--name is required/],
  [['project', 'create', '--name', ''], /--name takes 1 to 200/],
  [['project', 'create', '--name', 'n'.repeat(201)], /--name takes 1 to 200/],
  [['project', 'create', '--name', 'n', '--plan', 'gold'], /--plan.*free, starter, growth, pro, enterprise/],
  [['project', 'create', '--name', 'n', '--mode', 'x'], /--mode.*simple, advanced/],
  [
    ['project', 'create', '--name', 'n', '--organization', 'a', '--new-organization', 'b'],
    /exclude each other/,
  ],
  [['project', 'create', '--name', 'n', 'more'], /more/],
  [['key', 'create'], /--project is required/],
  [['key', 'create', '--project', 'p'], /--name is required/],
  [['key', 'create', '--project', 'p', '--name', 'n'], /--scope is required/],
  [['key', 'create', '--project', 'p', '--name', 'n', '--scope', 'all'], /--scope.*service_app/],
  [
    ['key', 'create', '--project', 'p', '--name', 'n', '--scope', 'platform', '--type', 'x'],
    /--type.*publishable/,
  ],
  [
    ['key', 'create', '--project', 'p', '--name', 'n', '--scope', 'platform', '--access', 'read,all'],
    /--access.*all/,
  ],
  [['key', 'create', '--project', 'p', '--name', 'n', '--scope', 'platform', '--access', ','], /--access/],
  [['key', 'create', '--project', 'p', '--name', 'n', '--scope', 'platform', '--access', ''], /--access/],
  [['key', 'create', '--project', '--name', 'n', '--scope', 'platform'], /--project/],
  [['number'], /"number".*number add/],
  [['number', 'add'], /--project is required/],
  [['number', 'add', '--project', 'p'], /--number is required/],
  [['number', 'add', '--project', 'p', '--number', '+1 (202) 555-0123'], /--number: .*\+12025550123 here/],
  [['number', 'add', '--project', 'p', '--number', '12025550123'], /--number: Expected E\.164/],
  [
    ['number', 'add', '--project', 'p', '--number', '+12025550123', '--flow', 'f', '--conversation', 'c'],
    /exclude each other/,
  ],
  [['mcp', 'more'], /more/],
  [['mcp', '--toolsets', 'nonsense'], /--toolsets.*nonsense.*flows/],
  [['mcp', '--tools', 'list_flow'], /--tools.*list_flow/],
  [['mcp', '--access', 'write'], /--access.*write.*read/],
  [['mcp', '--read-only'], /--read-only/],
  [['sevre'], /^parley: There is no command "sevre"\. Did you mean serve\?$/m],
  [['serve', '--nodemo'], /^parley: There is no option --nodemo\. Did you mean --no-demo\?$/m],
  [['call', 'list_flow'], /^parley: There is no tool list_flow\. Did you mean list_flows\?$/m],
  [['key'], /There is no command "key"\. The command is key create\./],
];

test.each(wrong)('rejects parley %j in one line with exit status 2', async (args, message) => {
  const env = { DATABASE_URL: 'postgres://127.0.0.1:1/nobody', PARLEY_HOME: newHome() };
  const { code, stdout, stderr } = await parley(args, env);
  expect({ code, stdout, lines: stderr.split('\n').length }, stderr).toStrictEqual({
    code: 2,
    stdout: '',
    lines: 2,
  });
  expect(stderr).toMatch(/^parley: /);
  expect(stderr).toMatch(message);
});

describe('help', () => {
  test('lists every command on stdout', async () => {
    const outcomes = await Promise.all([parley(['--help']), parley(['-h']), parley(['help'])]);
    for (const { code, stdout, stderr } of outcomes) {
      expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
      for (const name of [
        'serve',
        'mcp',
        'migrate',
        'stop',
        'whoami',
        'project create',
        'key create',
        'call',
      ])
        expect(stdout).toContain(`  parley ${name} `);
    }
  });

  test.each([
    ['key', '--help'],
    ['help', 'key'],
    ['key', '-h'],
  ])('of the first word of a command lists those that begin with it: %s %s', async (...args) => {
    const { code, stdout } = await parley(args);
    expect({ code, stdout }).toStrictEqual({
      code: 0,
      stdout: expect.stringMatching(/ {2}parley key create {2}Creates a key/),
    });
    expect(stdout).not.toContain('parley serve');
  });

  test('of every command explains its options, or their values', async () => {
    const unexplained: string[] = [];
    for (const [name, load] of Object.entries(commands)) {
      const { usage, summary, details = '' } = await load();
      for (const [, option = '', value = option] of usage.matchAll(/(--[a-z-]+)(?: ([A-Z]+)\b)?/g)) {
        const isExplained = [option, value].some((word) =>
          new RegExp(`(?<!\\w)${word}\\b`).test(`${summary} ${details}`),
        );
        if (option !== '--json' && !isExplained) unexplained.push(`${name} ${option}`);
      }
    }
    expect(unexplained).toStrictEqual([]);
  });

  test('of a command explains it and does nothing', async () => {
    const { code, stdout } = await parley(['key', 'create', '--help', '--project', 'x']);
    expect({ code, stdout }).toStrictEqual({
      code: 0,
      stdout: expect.stringMatching(/^parley key create --project ID .*\n\nCreates a key/),
    });
  });
});

test.each(['version', '--version', '-v'])('parley %s prints the version', async (word) => {
  const { code, stdout } = await parley([word]);
  expect({ code, stdout }).toStrictEqual({
    code: 0,
    stdout: expect.stringMatching(/^parley \d+\.\d+\.\d+ \(\w+\)\n$/),
  });
});

test('prints no error if the reader of its output leaves', async () => {
  // The document is longer than a pipe holds.
  const script = 'for command in "openapi" "--help"; do parley $command | true; done';
  expect(await shell(script, {})).toStrictEqual({ code: 0, stdout: '', stderr: '' });
});

test.each([
  ['PORT', 'abc'],
  ['PORT', '65536'],
  ['DATABASE_URL', 'mysql://127.0.0.1/x'],
  ['PARLEY_PUBLIC_URL', 'nonsense'],
  ['PARLEY_DATABASE_CONNECTIONS', '3'],
  ['OPENAI_API_KEY', 'with a\nline break'],
  ['OPENAI_BASE_URL', 'ftp://127.0.0.1/v1'],
  ['OPENAI_BASE_URL', 'https://user:hidden@127.0.0.1/v1'],
])('names a wrong %s in one line, without its value', async (name, value) => {
  const { code, stdout, stderr } = await parley(['serve'], { PARLEY_HOME: newHome(), [name]: value });
  expect({ code, stdout, lines: stderr.split('\n').length }, stderr).toStrictEqual({
    code: 1,
    stdout: '',
    lines: 2,
  });
  expect(stderr).toContain(name);
  expect(stderr).not.toContain(value);
});

test.each(['serve', 'mcp'])(
  '%s reports a disclosure model without a key in one line, and exits with status 1',
  async (name) => {
    const env = { PARLEY_HOME: newHome(), PARLEY_DISCLOSURE_MODEL: 'judge', OPENAI_API_KEY: '' };
    const { code, stdout, stderr } = await parley([name], env);
    expect({ code, stdout, stderr }).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: 'parley: PARLEY_DISCLOSURE_MODEL needs OPENAI_API_KEY. Set it.\n',
    });
  },
);

test.each(['whoami', 'serve'])('%s reports a database that cannot be reached in one line', async (name) => {
  const env = { DATABASE_URL: 'postgres://user:hidden@127.0.0.1:1/nobody', PARLEY_HOME: newHome() };
  const { code, stdout, stderr } = await parley([name], env);
  expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' });
  const lines = stderr.trimEnd().split('\n');
  // The log may add lines of JSON.
  expect(lines.filter((line) => !line.startsWith('{'))).toStrictEqual([
    expect.stringMatching(/^parley: .*DATABASE_URL/),
  ]);
  expect(stderr).not.toContain('hidden');
});

test.each([
  ['user', (url: URL) => ({ username: 'nobody_here', host: url.host })],
  ['database', () => ({ pathname: '/not_here' })],
])('reports an unknown %s in one line', async (_, change) => {
  const url = new URL(inject('databaseUrl'));
  const { code, stderr } = await parley(['migrate'], {
    DATABASE_URL: Object.assign(url, change(url)).href,
    PARLEY_HOME: newHome(),
  });
  expect(code).toBe(1);
  const lines = stderr
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('{'));
  expect(lines).toStrictEqual([expect.stringMatching(/^parley: .*DATABASE_URL/)]);
  expect(stderr).not.toContain(url.password);
});
