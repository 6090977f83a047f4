import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { fencesOf } from '../docs/fences.ts';
import { cloneDatabase } from '../helpers/database.ts';
import { freePort, launcher, newHome, parley, start } from '../helpers/parley.ts';
import { filesOf, isShipped, unlike } from '../image/listing.ts';
import { health, listFlows, toolsOf, webFiles } from '../image/use.ts';
import { docxOf, paragraph, pdfOf } from '../resources/knowledge/made-files.ts';

const root = path.resolve(import.meta.dirname, '../..');
const commit = 'c0ffee0000000000000000000000000000000000';
/** An installation: the bundle, without sources and packages. */
let installed: string;
let built: string;

/** A new folder with the launcher and package.json. */
function newInstallation(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-built-'));
  for (const part of ['bin', 'package.json'])
    cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
  return folder;
}

beforeAll(() => {
  installed = newInstallation();
  built = path.join(installed, 'bin/parley.js');
  const args = [path.join(root, 'scripts/bundle/build.ts'), '--out', path.join(installed, 'dist')];
  // A build ignores everything else in its environment, even if it is wrong.
  const env = { PATH: process.env['PATH'], PARLEY_GIT_SHA: commit, NODE_ENV: 'production', PORT: 'x' };
  execFileSync(process.execPath, args, { env, stdio: 'ignore' });
});
afterAll(() => rmSync(installed, { recursive: true }));

/** Runs a command with the bundle and with the sources. */
const both = (args: readonly string[], env: Record<string, string>) =>
  Promise.all([parley(args, env, '', built), parley(args, env, '', launcher)]);

describe('the bundle', () => {
  test('contains the shipped files, and none names a folder of the build machine', () => {
    expect(unlike(filesOf(installed), isShipped)).toBe('');
    const files = filesOf(path.join(installed, 'dist')).map(({ place }) =>
      path.join(installed, 'dist', place),
    );
    expect(files.filter((file) => readFileSync(file, 'utf8').includes(root))).toStrictEqual([]);
  });

  test('lists the same tools over MCP as the sources', async () => {
    const [ours, theirs] = await Promise.all(
      [built, launcher].map((file) =>
        toolsOf({
          command: process.execPath,
          args: [file, 'mcp'],
          env: { PARLEY_HOME: newHome() },
          cwd: '/',
        }),
      ),
    );
    expect(ours).toStrictEqual(theirs);
    expect(ours?.length).toBeGreaterThan(5);
  });

  test.each([[['--help']], [['openapi']]])('prints the same as the sources for %j', async (args) => {
    const [ours, theirs] = await both(args, { PARLEY_GIT_SHA: commit });
    expect(ours).toStrictEqual(theirs);
    expect(ours).toMatchObject({ code: 0, stderr: '' });
  });

  test('--version prints the commit of the build, unless PARLEY_GIT_SHA is set', async () => {
    const version = (env: Record<string, string>) => parley(['--version'], env, '', built);
    expect(await version({})).toMatchObject({ stdout: `parley 0.1.0 (${commit})\n` });
    expect(await version({ PARLEY_GIT_SHA: 'named' })).toMatchObject({ stdout: 'parley 0.1.0 (named)\n' });
  });

  test.each([
    ['a.html', '<h1>A</h1><p>Text'],
    ['a.md', '# A\n\nText'],
    ['a.txt', 'Text'],
    ['a.csv', 'A\nText'],
    ['a.pdf', pdfOf([[[12, 50, 700, 'Text']]])],
    ['a.docx', docxOf(paragraph('Text'))],
  ])('extracts the text of %s in a worker thread', async (fileName, content) => {
    const thread = new Worker(path.join(installed, 'dist/thread.cjs'), { env: {} });
    onTestFinished(async () => void (await thread.terminate()));
    const module = pathToFileURL(path.join(installed, 'dist/extraction.cjs')).href;
    const bytes = new Uint8Array(Buffer.from(content));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage({ module, input: { fileName, bytes } });
    const [answer] = (await once(thread, 'message')) as unknown[];
    expect(answer).toMatchObject({ extracted: { chunks: [{ text: expect.stringContaining('Text') }] } });
  });

  test('serves the Studio, the widget and the page to try it on, with all that they load', async () => {
    const { url, drop } = await cloneDatabase();
    onTestFinished(drop);
    const port = await freePort();
    const env = { DATABASE_URL: url, PARLEY_HOME: newHome(), PORT: String(port) };
    const { child, ended } = start(['serve'], env, built);
    const base = `http://127.0.0.1:${port}`;
    await health(base, ended);
    const files = await webFiles(base);
    expect(files.filter(({ status }) => status !== 200)).toStrictEqual([]);
    const types = files.map(({ path: at, type }) => [at.replaceAll(/-[\w-]{8}\./g, '-….'), type]);
    expect(types).toContainEqual(['/', 'text/html; charset=utf-8']);
    expect(types).toContainEqual(['/widget', 'text/html; charset=utf-8']);
    expect(types).toContainEqual(['/widget.js', 'text/javascript; charset=utf-8']);
    expect(types.filter(([at]) => at?.startsWith('/studio/assets/')).length).toBeGreaterThanOrEqual(2);
    expect(types.filter(([at]) => at?.startsWith('/widget/assets/'))).toHaveLength(2);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
  });

  test('serves the demo, REST, a diagram, an indexed file and a session token, and calls a tool', async () => {
    const { url, drop } = await cloneDatabase();
    onTestFinished(drop);
    const [port, home] = [await freePort(), newHome()];
    const liveKit = {
      LIVEKIT_URL: 'wss://livekit.example.com',
      LIVEKIT_API_KEY: 'key',
      LIVEKIT_API_SECRET: 'a-secret-of-enough-characters-for-a-token',
    };
    const env = { DATABASE_URL: url, PARLEY_HOME: home, PORT: String(port), ...liveKit };
    const { child, ended } = start(['serve'], env, built);
    const base = `http://127.0.0.1:${port}`;
    expect(await health(base, ended)).toMatchObject({ gitSha: commit });
    const whoami = await parley(['whoami', '--json'], env, '', built);
    const credentials = JSON.parse(whoami.stdout) as { projectId: string; key: string };
    expect(await listFlows(base, credentials)).toMatchObject({
      status: 200,
      body: expect.stringContaining('Reception'),
    });
    const headers = { authorization: `Bearer ${credentials.key}`, 'content-type': 'application/json' };
    const made = await fetch(`${base}/v1/projects/${credentials.projectId}/conversations`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'Reception' }),
    });
    const { id } = (await made.json()) as { id: string };
    const drawn = await fetch(`${base}/v1/conversations/${id}/versions/1/diagram?format=png`, { headers });
    expect([drawn.status, drawn.headers.get('content-type')]).toStrictEqual([200, 'image/png']);
    expect(
      Buffer.from(await drawn.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    const demo = JSON.parse((await parley(['demo', '--json'], env, '', built)).stdout) as {
      webAgentId: string;
      knowledgeBaseId: string;
      knowledgeSourceId: string;
    };
    const source = `${base}/v1/knowledge/${demo.knowledgeBaseId}/sources/${demo.knowledgeSourceId}`;
    await expect
      .poll(async () => (await fetch(source, { headers })).json(), { timeout: 30_000 })
      .toMatchObject({ indexingStatus: 'completed' });
    const session = await fetch(`${base}/v1/web-sessions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ webAgentId: demo.webAgentId }),
    });
    expect(await session.json()).toMatchObject({ roomUrl: liveKit.LIVEKIT_URL });
    const called = await parley(['call', 'list_projects'], env, '', built);
    expect(JSON.parse(called.stdout)).toMatchObject({ projects: [{ id: credentials.projectId }] });
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining('"level":50') });
  });
});

describe('parley/disclosure', () => {
  /** A folder with the packed Parley and no other package. */
  let user: string;
  const [example] = fencesOf('src/disclosure/README.md').filter(({ info }) => info === 'ts');

  beforeAll(() => {
    user = mkdtempSync(path.join(tmpdir(), 'parley-user-'));
    const parleyFolder = path.join(user, 'node_modules/parley');
    mkdirSync(parleyFolder, { recursive: true });
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', user];
    const tarball = execFileSync('npm', pack, { cwd: installed, encoding: 'utf8' }).trim();
    execFileSync('tar', ['-xzf', path.join(user, tarball), '-C', parleyFolder, '--strip-components=1']);
  });
  afterAll(() => rmSync(user, { recursive: true }));

  /** This Node and those of PATH, of which one may be older than the server needs. */
  const nodes = new Set([
    realpathSync(process.execPath),
    ...(process.env['PATH'] ?? '')
      .split(path.delimiter)
      .map((folder) => path.join(folder, 'node'))
      .filter(existsSync)
      .map((file) => realpathSync(file)),
  ]);
  const line = 'Hej, jag är en AI-assistent.';
  const ask = `console.log(JSON.stringify(ruleOnDisclosure(${JSON.stringify(line)})));`;
  test.each(
    [...nodes].flatMap((node) => [
      [node, 'import.mjs', `import { ruleOnDisclosure } from 'parley/disclosure'; ${ask}`],
      [node, 'require.cjs', `const { ruleOnDisclosure } = require('parley/disclosure'); ${ask}`],
    ]),
  )('rules on a line for %s %s', (node, file, source) => {
    writeFileSync(path.join(user, file), source);
    const said = execFileSync(node, [file], { cwd: user, encoding: 'utf8' });
    expect(JSON.parse(said)).toStrictEqual({ discloses: true, reason: 'says so: "jag är en AI-assistent"' });
  });

  test('prints what its README says', () => {
    const source = example?.text ?? '';
    writeFileSync(path.join(user, 'example.mjs'), source);
    const said = execFileSync(process.execPath, ['example.mjs'], { cwd: user, encoding: 'utf8' });
    const promised = [...source.matchAll(/^\/\/ (.+)$/gm)].map(([, output]) => output);
    expect(said.trimEnd().split('\n')).toStrictEqual(promised);
    expect(promised.length).toBeGreaterThan(1);
  });

  test.each(['mts', 'cts'])('has types for a module in .%s', (extension) => {
    const file = `typed.${extension}`;
    const typed = `import { type DisclosureRuling, languageCodeOf, ruleOnDisclosure } from 'parley/disclosure';
export const ruling: DisclosureRuling = ruleOnDisclosure('x');
export const code: string = languageCodeOf('x');
// @ts-expect-error -- a line is text
ruleOnDisclosure(1);
`;
    writeFileSync(path.join(user, file), typed);
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--module', 'node20', '--types', ''];
    const run = spawnSync(process.execPath, [compiler, ...options, file], { cwd: user, encoding: 'utf8' });
    expect([run.status, run.stdout]).toStrictEqual([0, '']);
  });
});

test('the launcher prefers the sources to an older bundle', async () => {
  const folder = newInstallation();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [file, said] of [
    ['dist/main.cjs', 'bundle'],
    ['src/main.ts', 'sources'],
  ] as const) {
    mkdirSync(path.join(folder, path.dirname(file)));
    writeFileSync(path.join(folder, file), `process.stdout.write('${said}');`);
  }
  const run = () => parley([], {}, '', path.join(folder, 'bin/parley.js'));
  expect(await run()).toMatchObject({ code: 0, stdout: 'sources' });
  rmSync(path.join(folder, 'src'), { recursive: true });
  expect(await run()).toMatchObject({ code: 0, stdout: 'bundle' });
});

test('npm packs the shipped files and no others', () => {
  const folder = newInstallation();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const strays = ['.env', '.parley/secret-key', 'bin/.env', 'reports/x.md', 'src/main.ts', 'test/x.test.ts'];
  for (const file of ['README.md', 'dist/main.cjs', 'dist/NOTICES', ...strays]) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), '');
  }
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
  expect(files.map((file) => file.path).toSorted()).toStrictEqual([
    'README.md',
    'bin/package.json',
    'bin/parley.js',
    'dist/NOTICES',
    'dist/main.cjs',
    'package.json',
  ]);
});
