import path from 'node:path';

/** The folder of what tests keep from one run to the next: their Postgres, and the peers that they installed. */
export const testHome = path.resolve(
  import.meta.dirname,
  '../..',
  process.env['PARLEY_TEST_HOME'] ?? '.parley-test',
);
