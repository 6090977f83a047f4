import usual from '../vitest.config.ts';

/** The tests that see most of the kernel, auth and stores. Others would repeat them, and take longer. */
const include = process.env['MUTATION_TESTS']?.split(',') ?? [
  'test/operation/**/*.test.ts',
  'test/transports/rest/**/*.test.ts',
  'test/transports/auth/**/*.test.ts',
];

// mergeConfig would add to the lists of the usual configuration.
export default { ...usual, test: { ...usual.test, include, reporters: ['default'] } };
