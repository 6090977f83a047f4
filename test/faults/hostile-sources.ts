/**
 * Files and websites that are meant to harm, given to a server over REST one after the other, while a client goes on
 * asking that server for other things; writes reports/hostile-sources.md. Fails where a source does not get its error in
 * one clear sentence (or, where there is something to be found, is not indexed), where `parley jobs` does not have it,
 * where a request of the client fails, and where the server ends.
 *
 * Usage: node test/faults/hostile-sources.ts [--rate 50] [--quiet 20] [--slow 1]
 * `--rate` requests of the client a second; `--quiet` seconds before anything happens, and after all of it; `--slow 0`
 * leaves out the sites that are tried again for nine minutes.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startBystander } from './bystander.ts';
import { hostileFiles } from './hostile-files.ts';
import { openProject, type Project } from './hostile-project.ts';
import { type CaseReport, isGood, type JobLine, reportOf, type SourceReport } from './hostile-report.ts';
import { type HostileSite, openHostileSites } from './hostile-sites.ts';
import { openLaboratory, runAsScript } from './laboratory.ts';
import { startReplica } from './replica-process.ts';
import { watchMemory } from './resident-memory.ts';

/** Milliseconds of a case at least: a quantile of few requests says nothing. */
const shortest = 5000;
/** A thread that read files ends after half a minute, and what it held is given back then. */
const rest = 40;
const root = path.resolve(import.meta.dirname, '../..');
const types = {
  'a.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'a.pdf': 'application/pdf',
};

interface Source {
  readonly what: string;
  readonly bytes?: number;
  readonly isReadable?: boolean;
  /** Answers its id. */
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
    if (!/ 200 MB$| a table /.test(what)) continue;
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

await runAsScript(
  import.meta.url,
  'rate',
  50,
  async (databaseUrl, rate, { quiet = 0, slow: withSlow = 1 }) => {
    const sites = await openHostileSites();
    const lines: string[] = [];
    const allowed = sites.map(({ place }) => place).join(',');
    const server = await startReplica(databaseUrl, { PARLEY_FETCH_ALLOW: allowed }, (line) =>
      lines.push(line),
    );
    const laboratory = openLaboratory(databaseUrl);
    const project = await openProject(server.base, await laboratory.tenant());
    const memory = watchMemory(server.pid);
    const bystander = startBystander({
      urls: [project.flowUrl, `${server.base}/healthz`],
      key: project.key,
      rate,
    });
    const cases: CaseReport[] = [];
    /** What the client and the memory see while something is done. */
    const watched = async (what: string, work: () => Promise<SourceReport[]>, least: number) => {
      await bystander.seen();
      const before = memory.now();
      memory.restart();
      const [sources] = await Promise.all([work(), pause(least)]);
      const { times, failures } = await bystander.seen();
      const seen = { before, most: memory.most(), after: memory.now(), times, failures };
      const one = { what, sources, ...seen };
      cases.push(one);
      console.error(
        what,
        sources.map(({ error, status, seconds }) => [status, error, seconds]),
        failures,
      );
    };
    const tried = async ({ what, add, ...source }: Source, patience: number): Promise<SourceReport> => {
      const began = performance.now();
      const id = await add();
      const posted = performance.now();
      const outcome = await project.settled(id, patience);
      const milliseconds = { post: posted - began };
      return { what, id, ...source, ...milliseconds, ...outcome };
    };
    try {
      // What a server does for the first time is not what it costs.
      await pause(3000);
      await watched('before', async () => [], quiet * 1000);
      const sources = function* () {
        yield* fileSources(project);
        for (const site of sites) if (!site.isSlow) yield siteSource(project, site);
      };
      for (const source of sources())
        await watched(source.what, async () => [await tried(source, 120_000)], shortest);
      if (withSlow > 0) {
        const all = sites.filter(({ isSlow }) => isSlow).map((site) => siteSource(project, site));
        await watched('slow sites', () => Promise.all(all.map((one) => tried(one, 900_000))), shortest);
      }
      await pause(rest * 1000);
      await watched('after', async () => [], quiet * 1000);
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [path.join(root, 'bin/parley.js'), 'jobs', '--json'],
        { env: { DATABASE_URL: databaseUrl }, maxBuffer: 1e8 },
      );
      const { jobs } = JSON.parse(stdout) as { jobs: JobLine[] };
      const run = { cases, jobs, lines, rate, command: process.argv.slice(2).join(' ') };
      const report = reportOf(run, memory.isThere());
      console.log(report);
      writeFileSync(path.join(root, 'reports/hostile-sources.md'), report);
      return isGood(run) && memory.isThere();
    } finally {
      memory.stop();
      await bystander.close();
      await server.kill();
      await laboratory.close();
      for (const site of sites) site.close();
    }
  },
  { quiet: 20, slow: 1 },
);
