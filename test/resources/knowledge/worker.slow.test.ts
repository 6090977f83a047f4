import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jobsSchemaVersion } from '../../../src/jobs/boss.ts';
import { jobsSchema } from '../../../src/jobs/jobs-schema.ts';
import { migrate } from '../../../src/postgres/migrate.ts';
import { openPool } from '../../../src/postgres/pool.ts';
import { type KnowledgeProject, openKnowledgeProject } from '../../helpers/knowledge-project.ts';
import {
  emptyDatabase,
  freePort,
  newHome,
  parley,
  query,
  type Running,
  start,
} from '../../helpers/parley.ts';
import { openWorld, type World } from '../../helpers/world.ts';
import { holdPage } from './held-page.ts';
import { type LocalSite, openSite, page } from './local-site.ts';

let world: World;
let site: LocalSite;
let project: KnowledgeProject;
beforeAll(async () => {
  [world, site] = await Promise.all([openWorld(), openSite()]);
});
beforeEach(async () => {
  site.pages.clear();
  site.asked.length = 0;
  project = await openKnowledgeProject(world);
});
afterAll(async () => {
  site.close();
  await world.close();
});

const environment = (more: Record<string, string> = {}) => ({
  DATABASE_URL: world.databaseUrl,
  PARLEY_HOME: newHome(),
  PARLEY_FETCH_ALLOW: site.place,
  ...more,
});
const website = () => ({ type: 'website', name: 'Site', url: `${site.base}/` });
const completed = { indexingStatus: 'completed', progress: 100 };
const ferry = (about: string, links: readonly string[] = []) =>
  page(about, `The ferry to ${about} leaves the harbour at nine every morning.`, links);
const worker = (more: Record<string, string> = {}): Running => start(['worker'], environment(more));
const times = (path: string) => site.asked.filter((requested) => requested === path).length;

/** A source whose start page is indexed, and whose next page waits for its release. */
async function halfIndexed() {
  site.pages.set('/', ferry('Ferries', ['/a', '/b']));
  site.pages.set('/b', ferry('Birch'));
  const held = holdPage(site, '/a');
  return { id: await project.newSource(website()), held };
}

describe('parley worker', () => {
  test('that is killed leaves its source to another worker, which continues it', async () => {
    const { id, held } = await halfIndexed();
    const first = worker();
    await held.requested;
    first.child.kill('SIGKILL');
    await first.ended;
    const { progress } = await project.read(id);
    expect(progress).toBeGreaterThan(0);
    // Makes its last heartbeat too old.
    await world.rows(
      `update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active' and singleton_key = $1`,
      [id],
    );
    worker();
    await expect.poll(() => times('/a'), { timeout: 30_000 }).toBe(2);
    held.release(ferry('Alder'));
    expect(await project.settled(id)).toMatchObject(completed);
    expect((await project.found(id)).map(({ url }) => url.replace(site.base, ''))).toStrictEqual([
      '/',
      '/a',
      '/b',
    ]);
    expect(times('/')).toBe(1);
  });

  test('that is stopped during a page exits with status 0, and hands the source on', async () => {
    const { id, held } = await halfIndexed();
    const first = worker();
    await held.requested;
    first.child.kill('SIGTERM');
    const { code, stderr } = await first.ended;
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/"level":[456]0/);
    expect(await project.read(id)).toMatchObject({ indexingStatus: 'inProgress' });
    const { stdout } = await parley(['jobs', '--json'], environment());
    expect(JSON.parse(stdout).jobs).toMatchObject([{ sourceId: id, state: 'waiting' }]);
    held.release(ferry('Alder'));
    worker();
    expect(await project.settled(id)).toMatchObject(completed);
    expect(times('/')).toBe(1);
  });

  test('reports wrong settings in one line', async () => {
    const { code, stderr } = await parley(['worker'], environment({ PARLEY_WORKERS: '0' }));
    expect({ code, stderr }).toStrictEqual({
      code: 1,
      stderr: expect.stringMatching(/^parley: [^\n]*PARLEY_WORKERS[^\n]*\n$/),
    });
    const wrong = await parley(['worker'], environment({ PARLEY_WORKERS: 'many' }));
    expect(wrong.stderr).toBe('parley: PARLEY_WORKERS is not valid: it takes an integer from 0 to 16.\n');
  });
});

test('serve indexes sources, unless PARLEY_WORKERS is 0', async () => {
  const id = await project.newSource(website());
  site.pages.set('/', ferry('Ferries'));
  const serve = async (more: Record<string, string>) =>
    start(['serve', '--no-demo'], environment({ PORT: String(await freePort()), ...more }));
  const idle = await serve({ PARLEY_WORKERS: '0' });
  await expect.poll(idle.stdout, { timeout: 20_000 }).toContain('listens');
  const busy = await serve({});
  expect(await project.settled(id)).toMatchObject(completed);
  for (const { child, ended } of [idle, busy]) {
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
  }
});

test('parley jobs lists waiting and failed jobs, one a line, and none of a source that is deleted or repaired', async () => {
  const env = environment();
  const empty = await parley(['jobs'], env);
  expect(empty.stdout).toMatch(/^id +sourceId +state +attempts +error +since\n/);
  const failing = await project.newSource({ ...website(), url: `${site.base}/missing` });
  worker();
  const { error } = await project.settled(failing);
  const [deleted, repaired] = [
    await project.newSource({ ...website(), url: `${site.base}/missing` }),
    await project.newSource({ ...website(), url: `${site.base}/late` }),
  ];
  for (const id of [deleted, repaired]) await project.settled(id);
  const listed = async () => {
    const { jobs } = JSON.parse((await parley(['jobs', '--json'], env)).stdout);
    return jobs.find(({ sourceId }: { sourceId: string }) => sourceId === failing);
  };
  await expect.poll(listed, { timeout: 20_000 }).toStrictEqual({
    id: expect.any(String),
    sourceId: failing,
    state: 'failed',
    attempts: 1,
    error,
    since: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  site.pages.set('/late', ferry('Alder'));
  await project.reindex(repaired);
  expect(await project.settled(repaired)).toMatchObject(completed);
  await project.remove(deleted);
  const { stdout } = await parley(['jobs'], env);
  expect(stdout).not.toMatch(new RegExp(`${deleted}|${repaired}`));
  expect(stdout).toMatch(
    new RegExp(`${failing} +failed +1 +${String(error).replaceAll('.', '\\.')} +\\d{4}-`),
  );
});

test('several processes that start at once on an empty database create one queue', async () => {
  const url = await emptyDatabase();
  const say = (line: string) => console.error(line);
  const starts = Array.from({ length: 4 }, async () => {
    const pool = openPool({ connectionString: url, mode: 'write', max: 1, warn: say });
    try {
      await migrate(pool, url, say, jobsSchema);
    } finally {
      await pool.destroy();
    }
  });
  expect(await Promise.allSettled(starts)).toStrictEqual(
    starts.map(() => ({ status: 'fulfilled', value: undefined })),
  );
  expect(
    await query(url, 'select name from pgboss.queue where name not like $1 order by name', ['\\_\\_%']),
  ).toStrictEqual([{ name: 'knowledge-indexing' }, { name: 'knowledge-indexing-failed' }]);
  expect(await query(url, 'select version from pgboss.version')).toHaveLength(1);
});

test('jobsSchemaVersion is that of the installed pg-boss', () => {
  const file = path.resolve(import.meta.dirname, '../../../node_modules/pg-boss/package.json');
  const { pgboss } = JSON.parse(readFileSync(file, 'utf8')) as { pgboss: { schema: number } };
  expect(jobsSchemaVersion).toBe(pgboss.schema);
});
