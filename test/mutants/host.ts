/**
 * Runs named tests of the copy that is its working directory, one request after the other. Vitest starts once, transforms
 * the modules once, and then again only the modules that a patch changes. Each request has a worker process of its own.
 *
 * Its argument is the folder of the modules that vitest has transformed, by their path and content.
 */
import { createVitest, type TestCase, type TestModule, type Vitest } from 'vitest/node';

export interface HostRequest {
  readonly files: readonly string[];
  /** A regular expression for the names of the tests. */
  readonly names: string;
  /** Absolute paths of the modules that differ from those of the last request. */
  readonly changed: readonly string[];
}

export interface HostReply {
  readonly reports: readonly FileReport[];
  /** Errors outside tests. */
  readonly errors: readonly string[];
}

/** The result of one file of tests. */
export interface FileReport {
  /** The absolute path. */
  readonly file: string;
  /** Errors outside its tests, such as a failed import. */
  readonly message: string;
  readonly tests: readonly TestReport[];
}

interface TestReport {
  /** The name in vitest's form, `suite > test`. */
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
  readonly messages: readonly string[];
}

const config = 'test/vitest.config.ts';

const [, , fsModuleCachePath = ''] = process.argv;

const opened = createVitest({
  config,
  watch: false,
  reporters: [],
  // The cache in node_modules is shared by all copies.
  cache: false,
  fsModuleCache: true,
  fsModuleCachePath,
});

process.on('message', (request: HostRequest) => {
  void opened.then((vitest) => run(vitest, request)).then((reply) => process.send?.(reply));
});

async function run(vitest: Vitest, { files, names, changed }: HostRequest): Promise<HostReply> {
  for (const file of changed) vitest.invalidateFile(file);
  // A file that does not run now must not appear with its last result.
  vitest.state.filesMap.clear();
  vitest.setGlobalTestNamePattern(new RegExp(names));
  const specifications = await vitest.globTestSpecifications([...files]);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  return {
    reports: testModules.map(reportOn),
    errors: unhandledErrors.map((error) => textOf(error as ThrownError)),
  };
}

function reportOn(module: TestModule): FileReport {
  return {
    file: module.moduleId,
    message: module.errors().map(textOf).join('\n'),
    tests: [...module.children.allTests()].map((test: TestCase) => {
      const { state, errors = [] } = test.result();
      return { name: test.fullName, state, messages: errors.map(textOf) };
    }),
  };
}

/** What vitest keeps of an error. It has no prototype, so `String` cannot turn it into a text. */
interface ThrownError {
  readonly name?: string;
  readonly message: string;
}

function textOf({ name, message }: ThrownError): string {
  return `${name}: ${message}`;
}
