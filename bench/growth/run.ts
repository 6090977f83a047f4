/**
 * Measures how the cost of a call grows with the number of rows, and how throughput grows with the number of replicas.
 * Writes growth.md and growth.svg, with curves and what the query plans use. Parts can run one by one; the report shows the
 * last result of each. Exits with 1 if a curve grows by more than its floor.
 *
 * Usage: npm run growth [-- --only flows,versions,audit,changes,sessions,search,usage,purge,replicas] [--small] [--folder docs/measurements]
 * PARLEY_TEST_HOME: the folder of the Postgres data and of the last results. 10,000,000 usage events take 2 GB.
 * --small: few rows and few calls, which show only that the program works. Its curves are not judged, and its results stay
 * beside the report.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { testHome } from '../../test/helpers/test-home.ts';
import { auditCurves } from './audit.ts';
import { changeCurves } from './changes.ts';
import { type Databases, openDatabases } from './databases.ts';
import { flowCurves } from './flows.ts';
import { purges } from './purge.ts';
import { throughputs } from './replicas.ts';
import { failuresOf, markdownOf, type Part, type PartName, pictureOf, type Results } from './report.ts';
import { searchCurves } from './search.ts';
import { sessionCurves } from './sessions.ts';
import { usageCurves } from './usage.ts';
import { versionCurves } from './versions.ts';

const root = path.resolve(import.meta.dirname, '../..');

const full = {
  effort: { rounds: 7, calls: 50, patience: 5 },
  flows: [1_000, 10_000, 100_000, 1_000_000],
  others: { projects: 10_000, flowsEach: 100 },
  versions: [10, 100, 1_000, 10_000],
  audit: [1_000, 1_000_000, 10_000_000],
  changes: [1_000, 100_000, 1_000_000],
  sessions: [1_000, 100_000, 1_000_000],
  search: [200, 2_000, 20_000],
  usage: [10_000, 1_000_000, 10_000_000],
  purge: [10_000, 100_000, 1_000_000],
  load: { rounds: 5, seconds: 2, warmUpSeconds: 4, patience: 5 },
};

const small: typeof full = {
  effort: { rounds: 1, calls: 5, patience: 0 },
  flows: [1_000, 5_000],
  others: { projects: 10, flowsEach: 10 },
  versions: [10, 100],
  audit: [100, 1_000],
  changes: [100, 1_000],
  sessions: [100, 1_000],
  search: [10, 100],
  usage: [100, 1_000],
  purge: [100, 5_000],
  load: { rounds: 1, seconds: 1, warmUpSeconds: 1, patience: 0 },
};

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    small: { type: 'boolean', default: false },
    folder: { type: 'string', default: path.join(root, 'docs/measurements') },
  },
});
const { effort, ...sizes } = values.small ? small : full;

const parts: Readonly<{ [Name in PartName]-?: (databases: Databases) => Promise<ValueOf<Name>> }> = {
  flows: (databases) => flowCurves(databases, sizes.flows, sizes.others, effort),
  versions: (databases) => versionCurves(databases, sizes.versions, effort),
  audit: (databases) => auditCurves(databases, sizes.audit, effort),
  changes: (databases) => changeCurves(databases, sizes.changes, effort),
  sessions: (databases) => sessionCurves(databases, sizes.sessions, effort),
  // One that finds nothing reads every design.
  search: (databases) => searchCurves(databases, sizes.search, { ...effort, calls: effort.calls / 5 }),
  usage: (databases) => usageCurves(databases, sizes.usage, effort),
  purge: (databases) => purges(databases, sizes.purge),
  replicas: (databases) => throughputs(databases, sizes.load),
};
type ValueOf<Name extends PartName> = NonNullable<Results[Name]>['value'];

const names = Object.keys(parts) as PartName[];
const only = values.only?.split(',') ?? names;
const unknown = only.filter((name) => !names.includes(name as PartName));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}; expected some of ${names.join(', ')}`);
  process.exitCode = 2;
} else await run();

async function run(): Promise<void> {
  const kept = path.join(values.small ? values.folder : testHome, 'growth.json');
  const chosen = names.filter((name) => only.includes(name));
  let postgres = '';
  for (const name of chosen) {
    // Each part leaves Postgres, which then has no databases of the part before.
    const databases = await openDatabases();
    postgres = databases.version;
    const began = performance.now();
    try {
      const value = await parts[name](databases);
      const seconds = (performance.now() - began) / 1000;
      const part: Part<unknown> = { value, date: new Date().toISOString(), commit: commit(), seconds };
      mkdirSync(path.dirname(kept), { recursive: true });
      writeFileSync(kept, JSON.stringify({ ...readResults(kept), [name]: part }));
      console.error(`${name}: ${seconds.toFixed(0)} s`);
    } finally {
      await databases.close();
    }
  }
  const results = readResults(kept);
  const processors = `${os.availableParallelism()} × ${os.cpus()[0]?.model.trim()}`;
  const report = markdownOf(results, {
    machine: `${processors}, Node ${process.versions.node}, Postgres ${postgres}`,
    picture: 'growth.svg',
    command: `npm run growth${values.small ? ' -- --small' : ''}`,
  });
  writeFileSync(path.join(values.folder, 'growth.md'), report);
  writeFileSync(path.join(values.folder, 'growth.svg'), pictureOf(results));
  const failures = values.small ? [] : failuresOf(results);
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) process.exitCode = 1;
}

function readResults(file: string): Results {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {};
}

function commit(): string {
  const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
