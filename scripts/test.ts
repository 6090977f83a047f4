/**
 * Runs the tests in tiers, and prints how long each part took.
 *
 * Usage: npm test                  static checks, then every test/**\/*.test.ts except *.slow.test.ts
 *        npm run test:slow         test/**\/*.slow.test.ts: tests that start processes, or take more than ten seconds
 *        npm run test:all          both
 *        npm run test:long         what takes hours: many runs of each property, and the trials in test/faults and test/peers
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

interface Part {
  readonly name: string;
  readonly command: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const root = path.resolve(import.meta.dirname, '..');
const vitest = 'vitest run --config test/vitest.config.ts';

const staticChecks: readonly Part[] = [
  { name: 'format', command: 'npm run --silent format' },
  { name: 'lint', command: 'npm run --silent lint' },
  { name: 'types', command: 'npm run --silent types' },
  { name: 'unused', command: 'npm run --silent unused' },
];
const fast: Part = { name: 'fast tests', command: `${vitest} --exclude 'test/**/*.slow.test.ts'` };
const slow: Part = { name: 'slow tests', command: `${vitest} slow.test.ts` };

const long: readonly Part[] = [
  { name: 'properties', command: `${vitest} test/property`, environment: { PROPERTY_RUNS: '1000' } },
  ...[
    'revocation.ts --trials 300',
    'idempotency.ts --kills 20',
    'write-kills.ts --kills 20 --crashes 5',
    'rolling-restarts.ts --restarts 20',
    'grace-periods.ts',
    'merge-writers.ts --rounds 200',
    'archive.ts --rows 1000000',
    'embedded.ts',
    'design-damage-run.ts --damages 10000',
    'usage-report.ts',
    'knowledge-search.ts',
    'slow-streams.ts --streams 500 --seconds 60',
    'mixed-load.ts --seconds 480 --bundle 1',
    'search-at-once.ts',
    'drawings.ts',
    'simulations.ts',
    'fairness.ts',
    'fast-visitor.ts',
    'session-flood.ts',
    'file-uploads.ts',
    'image.ts',
    'body-times.ts --bodies 400 --seconds 3600',
    'crawl-kills.ts',
    'chat-sessions.ts',
    'hostile-sockets.ts',
    'hostile-sources.ts',
  ].map((trial) => ({ name: trial, command: `node test/faults/${trial}` })),
  { name: 'growth', command: 'npm run --silent growth' },
  { name: 'Schemathesis', command: 'node test/peers/schemathesis.ts' },
  { name: 'linters of the OpenAPI document', command: 'node test/peers/document-linters.ts' },
  { name: "Go's client of MCP", command: 'node test/peers/go-client.ts' },
  { name: 'Lighthouse', command: 'node test/peers/lighthouse.ts' },
];

const tiers: Readonly<Record<string, readonly (readonly Part[])[]>> = {
  fast: [staticChecks, [fast]],
  slow: [[slow]],
  all: [staticChecks, [fast], [slow]],
  long: long.map((part) => [part]),
};

const [tier = 'fast', ...surplus] = process.argv.slice(2);
const stages = tiers[tier];
if (stages === undefined || surplus.length > 0) {
  console.error(`expected one of ${Object.keys(tiers).join(', ')}`);
  process.exit(2);
}
const times: string[] = [];
const began = performance.now();
for (const parts of stages) {
  const passed = await Promise.all(parts.map(runs));
  if (!passed.every(Boolean)) {
    process.exitCode = 1;
    break;
  }
}
console.log(['', ...times, duration('in all', began)].join('\n'));

/** Runs a part, records its time, and returns whether it passed. */
async function runs({ name, command, environment }: Part): Promise<boolean> {
  const start = performance.now();
  const child: ChildProcess = spawn(command, {
    cwd: root,
    env: { ...process.env, ...environment },
    shell: true,
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  times.push(`${duration(name, start)}${code === 0 ? '' : '  failed'}`);
  return code === 0;
}

function duration(name: string, start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1).padStart(8)} s  ${name}`;
}
