// Lints the OpenAPI document with Redocly and Spectral, and generates a TypeScript client from it, which must compile.
// Any warning fails.
//
// Usage: node test/peers/document-linters.ts
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installPackages } from './install.ts';

const folder = path.join(import.meta.dirname, 'linters');
const document = path.resolve(import.meta.dirname, '../../docs/contract/openapi.json');

const installed = installPackages('linters', (reason) => console.log(`not run: ${reason}`));
if (installed !== undefined && !passes(installed)) process.exitCode = 1;

/** Runs the linters that are installed in a folder. Returns whether they find nothing. */
function passes(installed: string): boolean {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'parley-linters-'));
  const ruleset = path.join(folder, 'spectral.yaml');
  const rules = path.join(folder, 'redocly.yaml');
  const run = (program: string, args: readonly string[], complaint?: RegExp) =>
    succeeds(scratch, path.join(installed, 'node_modules/.bin', program), args, complaint);
  // The annotations of GitHub Actions have one line for each problem, and none without any.
  const passed = [
    run('redocly', ['lint', '--config', rules, '--format', 'github-actions', document], /^::/m),
    run('spectral', ['lint', '--ruleset', ruleset, '--fail-severity', 'hint', document]),
    run('openapi-typescript', [document, '--output', 'client.ts']),
    run('tsc', ['--noEmit', '--strict', 'client.ts']),
  ];
  rmSync(scratch, { recursive: true });
  return passed.every(Boolean);
}

/** Runs a linter in a folder. Returns false, and prints its output, if it fails or if its output matches `complaint`. */
function succeeds(cwd: string, program: string, args: readonly string[], complaint?: RegExp): boolean {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  const passed = status === 0 && !complaint?.test(stdout);
  const name = path.basename(program);
  console.log(passed ? `passed  ${name}` : `failed  ${name}\n${stdout}${stderr}`);
  return passed;
}
