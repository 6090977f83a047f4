import path from 'node:path';

/**
 * Changes the kernel, auth and stores one expression at a time, and runs the tests that reach it. CONTRIBUTING says how to run it.
 * Tests start the code through a server, so `related` cannot find them by their imports.
 */
// Else each copy would start a Postgres of its own, which goes on after the run.
process.env['PARLEY_TEST_HOME'] ??= path.resolve(import.meta.dirname, '../../.parley-test');

export default {
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false, pool: 'forks' },
  // TypeScript 7 has no API with which StrykerJS could read tsconfig.json or check types, and Node.js runs the sources as they are.
  tsconfigFile: 'test/mutation/none.json',
  disableTypeChecks: false,
  mutate: ['src/operation/**/*.ts', 'src/transports/auth/**/*.ts', 'src/store/**/*.ts'],
  // SQL without its text fails at once, and an empty message is no fault of the logic.
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'perTest',
  // What runs once, when a module loads, would need every test.
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 5_000,
  reporters: ['clear-text', 'progress-append-only', 'json', 'html'],
  jsonReporter: { fileName: '.parley-test/mutation-report/report.json' },
  htmlReporter: { fileName: '.parley-test/mutation-report/report.html' },
  clearTextReporter: { allowColor: false, reportTests: false, reportMutants: false },
  // Outside of test/, or other runs of vitest would find the tests of the copies.
  tempDirName: '.parley-test/mutation',
  ignorePatterns: ['web/.built', '.parley-test', 'dist', 'test/mutants', 'test/mutation/node_modules'],
  symlinkNodeModules: true,
};
