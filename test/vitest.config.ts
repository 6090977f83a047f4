import { defineConfig } from 'vitest/config';
import { SlowestReporter } from './helpers/slowest.ts';
import { memoryFolder } from './helpers/test-home.ts';

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    // `npm test` leaves out *.slow.test.ts: files that start processes, or take more than ten seconds.
    include: ['test/**/*.test.ts'],
    // Tests, and the processes that they start, find it with os.tmpdir().
    env: memoryFolder === undefined ? {} : { TMPDIR: memoryFolder },
    globalSetup: ['test/helpers/global-setup.ts'],
    // Processes, not threads: what tests do with signals, exits and the environment stays their own.
    pool: 'forks',
    // One more than the gate has processors, because tests also wait for Postgres. Each runs many files, and a larger young
    // generation saves a tenth of its time. Together 360 s in place of 448 s for the fast tests; four workers took 382 s.
    maxWorkers: 3,
    execArgv: ['--max-semi-space-size=32'],
    // A file has a database and servers of its own; what they import is loaded once, which takes a third less.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A forgotten `.only` must fail here too, not only where CI is set.
    allowOnly: false,
    // A test that asserts nothing passes whatever happens.
    // A page needs more than the usual second on a machine that does other work.
    expect: { requireAssertions: true, poll: { timeout: 15_000 } },
    // The log of a server is noise unless the test fails.
    silent: 'passed-only',
    // The slowest tests are listed once, at the end.
    slowTestThreshold: 60_000,
    reporters: ['default', new SlowestReporter()],
  },
});
