/**
 * Adds hostile files and websites to a server over REST, one after another, while a client sends ordinary
 * requests. Writes docs/measurements/hostile-sources.md. Fails if a source without readable text has no clear
 * error of one sentence or no failed job in `parley jobs`, or if a readable source is not indexed. Also fails
 * if a request of the client fails, or if the server ends.
 *
 * Usage: node test/faults/hostile-sources.ts [--rate 50] [--quiet 20] [--slow 1] [--again 1]
 * `--rate` sets the requests of the client each second. `--quiet` sets the idle seconds before the first and
 * after the last source. `--slow 0` leaves out the sites that Parley retries for nine minutes. `--again 0`
 * leaves out the second round, which shows whether the server's memory keeps growing.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { startReplica } from '../helpers/replica-process.ts';
import { startBystander } from './bystander.ts';
import { hostileFiles } from './hostile-files.ts';
import { openProject, type Project } from './hostile-project.ts';
import { type CaseReport, isGood, type JobLine, reportOf, type SourceReport } from './hostile-report.ts';
import { type HostileSite, openHostileSites } from './hostile-sites.ts';
import { watchMemory } from './resident-memory.ts';

/** The shortest case in milliseconds, because a quantile of few requests says nothing. */
const shortest = 5000;
/** Idle milliseconds after a round. A thread that read files frees its memory after half a minute. */
const rest = 40_000;
/** The time limit for indexing in milliseconds. Parley retries an unresponsive site for nine minutes. */
const patience = 900_000;
const root = path.resolve(import.meta.dirname, '../..');
const types = {
  'a.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'a.pdf': 'application/pdf',
};

interface Source {
  readonly what: string;
  readonly bytes?: number;
  readonly isReadable?: boolean;
  /** Adds the source. Returns its id. */
  add(): Promise<string>;
}

function* fileSources(project: Project): Generator<Source> {
  for (const { what, fileName, bytes } of hostileFiles()) {
    const source = { type: 'file', name: what.slice(0, 100) };
    yield {
      what,
      bytes: bytes.length,
      add() {
        const form = new FormData();
        for (const [name, value] of Object.entries(source)) form.set(name, value);
        form.set('file', new Blob([Uint8Array.from(bytes)], { type: types[fileName] }), fileName);
        return project.add(form);
      },
    };
    if (!/ 200 MB$| objects$/.test(what)) continue;
    const content = { fileName, mimeType: types[fileName], contentBase64: bytes.toString('base64') };
    yield {
      what: `${what}, in base64`,
      bytes: bytes.length,
      add: () => project.add({ ...source, ...content }),
    };
  }
}

function siteSource(project: Project, { what, url, isReadable }: HostileSite): Source {
  return {
    what: `site: ${what}`,
    isReadable,
    add: () => project.add({ type: 'website', name: what, url }),
  };
}

/** The report also covers a server that no longer responds. */
async function tried(project: Project, { add, ...source }: Source): Promise<SourceReport> {
  const began = performance.now();
  const since = () => performance.now() - began;
  let post = Number.NaN;
  let id = '';
  try {
    id = await add();
    post = since();
    return { ...source, id, post, ...(await project.settled(id, patience)) };
  } catch (error) {
    return { ...source, id, post, status: String(error), seconds: since() / 1000 };
  }
}

/** Warms up the server with a harmless source, because first requests are slower. */
async function warmUp(project: Project): Promise<void> {
  const content = Buffer.from('# Fares\n\nChildren travel free of charge.').toString('base64');
  const harmless = { fileName: 'a.md', mimeType: 'text/markdown', contentBase64: content };
  await project.settled(await project.add({ type: 'file', name: 'Fares', ...harmless }), patience);
  await pause(10_000);
}

async function listJobs(databaseUrl: string): Promise<readonly JobLine[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(root, 'bin/parley.js'), 'jobs', '--json'],
    { env: { DATABASE_URL: databaseUrl } },
  );
  return (JSON.parse(stdout) as { jobs: JobLine[] }).jobs;
}

await runAsScript(
  import.meta.url,
  'rate',
  50,
  async (databaseUrl, rate, { quiet = 0, slow = 1, again = 1 }) => {
    const sites = await openHostileSites();
    const lines: string[] = [];
    const PARLEY_FETCH_ALLOW = sites.map(({ place }) => place).join(',');
    const server = await startReplica(databaseUrl, { PARLEY_FETCH_ALLOW }, (line) => lines.push(line));
    const laboratory = openLaboratory(databaseUrl);
    const project = await openProject(server.base, await laboratory.tenant());
    const urls = [project.flowUrl, `${server.base}/healthz`];
    const bystander = startBystander({ urls, key: project.key, rate });
    const memory = watchMemory(server.pid);
    const cases: CaseReport[] = [];
    /** Records the client's requests and the memory during `work`, for at least `least` milliseconds. */
    const watch = async (
      what: string,
      least: number,
      work: () => Promise<SourceReport[]> = async () => [],
    ) => {
      await bystander.seen();
      const before = memory.now();
      memory.restart();
      const [sources] = await Promise.all([work(), pause(least)]);
      const seen = await bystander.seen();
      cases.push({ what, sources, before, most: memory.most(), after: memory.now(), ...seen });
      console.error(what, ...sources.map(({ status, error }) => `${status} ${error}`), ...seen.failures);
    };
    const quick = function* () {
      yield* fileSources(project);
      for (const site of sites) if (!site.isSlow) yield siteSource(project, site);
    };
    try {
      await warmUp(project);
      await watch('idle, before', quiet * 1000);
      for (const source of quick())
        await watch(source.what, shortest, async () => [await tried(project, source)]);
      await watch('idle', rest);
      if (again > 0) {
        await watch('all of these again', shortest, async () => {
          const reports: SourceReport[] = [];
          for (const source of quick()) reports.push({ ...(await tried(project, source)), isAgain: true });
          return reports;
        });
        await watch('idle', rest);
      }
      if (slow > 0) {
        const all = sites.filter(({ isSlow }) => isSlow).map((site) => siteSource(project, site));
        await watch('the slow sites', shortest, () => Promise.all(all.map((one) => tried(project, one))));
      }
      await watch('idle, after', quiet * 1000);
      const jobs = await listJobs(databaseUrl);
      const command = process.argv.slice(2).join(' ');
      const run = { cases, jobs, lines, rate, command, isThere: memory.isThere() };
      const report = reportOf(run);
      console.log(report);
      writeFileSync(path.join(root, 'docs/measurements/hostile-sources.md'), report);
      return isGood(run);
    } finally {
      memory.stop();
      await bystander.close();
      await server.kill();
      await laboratory.close();
      for (const site of sites) site.close();
    }
  },
  { quiet: 20, slow: 1, again: 1 },
);
