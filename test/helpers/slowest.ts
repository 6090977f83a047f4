import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

const shown = 10;

/** Prints the ten slowest tests after a run, then a summary: `N passed, N failed`, and `, N skipped` if any. */
export class SlowestReporter implements Reporter {
  #print: (line: string) => void = () => undefined;

  onInit(vitest: Vitest): void {
    this.#print = (line) => vitest.logger.log(line);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    const passed = inState('passed');
    const failed = inState('failed');
    const skipped = inState('skipped').length;
    const slowest = [...passed, ...failed].toSorted((a, b) => milliseconds(b) - milliseconds(a));
    this.#print(`The ${shown} slowest tests:`);
    for (const test of slowest.slice(0, shown)) this.#print(line(test));
    // A failure outside a test (an import, a hook, an unhandled rejection) must not appear as "0 failed".
    const failures = failed.length + modules.filter(failedOutsideTests).length + unhandledErrors.length;
    this.#print(`${passed.length} passed, ${failures} failed${skipped ? `, ${skipped} skipped` : ''}`);
  }
}

function milliseconds(test: TestCase): number {
  return test.diagnostic()?.duration ?? 0;
}

function line(test: TestCase): string {
  const time = `${Math.round(milliseconds(test))} ms`;
  return `${time.padStart(9)}  ${test.module.relativeModuleId}  ${test.fullName}`;
}

function failedOutsideTests(module: TestModule): boolean {
  return module.state() === 'failed' && module.children.allTests('failed').next().done === true;
}
