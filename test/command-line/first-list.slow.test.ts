import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openEmbedded } from '../../src/postgres/embedded/embedded.ts';
import { type Environment, launcher, newHome, parley } from '../helpers/parley.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { usedHomes } from '../postgres/members.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const ownFolders = ['src', 'tools'].map((folder) => `${pathToFileURL(path.join(root, folder))}/`);
const usedHome = usedHomes();

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** The packages of package.json and the own files that `parley mcp` has loaded when it lists its tools. */
async function loadedForList(env: Environment): Promise<{ packages: string[]; ownFiles: string[] }> {
  const folder = newHome();
  const [hook, list] = [path.join(folder, 'hook.mjs'), path.join(folder, 'loaded')];
  writeFileSync(
    hook,
    `import { appendFileSync } from 'node:fs';
    import { registerHooks } from 'node:module';
    registerHooks({
      load(url, context, next) {
        appendFileSync(${JSON.stringify(list)}, url + '\\n');
        return next(url, context);
      },
    });`,
  );
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  const args = ['--import', hook, launcher, 'mcp'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  const urls = [...new Set(readFileSync(list, 'utf8').split('\n'))];
  const packages = urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
  return {
    packages: [...new Set(packages)].filter((name) => Object.hasOwn(dependencies, name)).toSorted(),
    ownFiles: urls.filter((url) => ownFolders.some((own) => url.startsWith(own))),
  };
}

const protocol = ['@modelcontextprotocol/server', 'fastest-levenshtein', 'ipaddr.js', 'valibot', 'zod'];

test.each([
  { how: 'without a key', packages: protocol, files: 45, env: async () => ({ PARLEY_HOME: newHome() }) },
  {
    how: 'with a key and DATABASE_URL',
    packages: [...protocol, 'pg'],
    files: 53,
    env: async () => ({ DATABASE_URL: world.databaseUrl, PARLEY_API_KEY: (await world.tenant()).key }),
  },
  {
    how: 'with a key and an embedded Postgres',
    packages: [...protocol, 'pg'],
    files: 66,
    async env() {
      const home = await usedHome();
      const server = await openEmbedded(home, () => undefined);
      onTestFinished(async () => void (await server.leave()));
      const { stdout } = await parley(['whoami', '--field', 'key'], { PARLEY_HOME: home });
      return { PARLEY_HOME: home, PARLEY_API_KEY: stdout.trim() };
    },
  },
])('parley mcp lists its tools $how with few modules, and none of an operation', async (row) => {
  const { packages, ownFiles } = await loadedForList(await row.env());
  expect(packages).toStrictEqual(row.packages.toSorted());
  expect(ownFiles.length).toBeLessThanOrEqual(row.files);
});
