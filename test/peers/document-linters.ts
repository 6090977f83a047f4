// Lints the OpenAPI document with Redocly and Spectral, and generates a TypeScript client from it, which must compile.
// Any warning fails.
//
// Usage: node test/peers/document-linters.ts
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folder = path.join(import.meta.dirname, 'linters');
const document = path.resolve(import.meta.dirname, '../../docs/contract/openapi.json');

if (install()) {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'parley-linters-'));
  const ruleset = path.join(folder, 'spectral.yaml');
  const rules = path.join(folder, 'redocly.yaml');
  // The annotations of GitHub Actions have one line for each problem, and none without any.
  const passed = [
    succeeds(scratch, 'redocly', ['lint', '--config', rules, '--format', 'github-actions', document], /^::/m),
    succeeds(scratch, 'spectral', ['lint', '--ruleset', ruleset, '--fail-severity', 'hint', document]),
    succeeds(scratch, 'openapi-typescript', [document, '--output', 'client.ts']),
    succeeds(scratch, 'tsc', ['--noEmit', '--strict', 'client.ts']),
  ];
  rmSync(scratch, { recursive: true });
  if (!passed.every(Boolean)) process.exitCode = 1;
}

/** Installs the linters from their own lock. Returns false, and prints the reason, if npm cannot. */
function install(): boolean {
  try {
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    return true;
  } catch (error) {
    console.log(`not run: the linters cannot be installed (${(error as Error).message.split('\n', 1)[0]})`);
    return false;
  }
}

/** Runs a linter in a folder. Returns false, and prints its output, if it fails or if its output matches `complaint`. */
function succeeds(cwd: string, program: string, args: readonly string[], complaint?: RegExp): boolean {
  const { status, stdout, stderr } = spawnSync(path.join(folder, 'node_modules/.bin', program), args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  const passed = status === 0 && !complaint?.test(stdout);
  console.log(passed ? `passed  ${program}` : `failed  ${program}\n${stdout}${stderr}`);
  return passed;
}
