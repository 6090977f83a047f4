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
    maxWorkers: 2,
    // A file has a database and servers of its own; what they import is loaded once, which takes a third less.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A forgotten `.only` must fail here too, not only where CI is set.
    allowOnly: false,
    // A test that asserts nothing passes whatever happens.
    expect: { requireAssertions: true },
    // The log of a server is noise unless the test fails.
    silent: 'passed-only',
    // The slowest tests are listed once, at the end.
    slowTestThreshold: 60_000,
    reporters: ['default', new SlowestReporter()],
  },
});
