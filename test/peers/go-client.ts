// Makes the calls of test/peers/go-client with the official Go client of MCP, over HTTP and stdio and in both lines of
// the protocol, and cancels one of them over each connection.
//
// Usage: node test/peers/go-client.ts [--times 3]
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { findProgram } from '../helpers/find-program.ts';
import { runAsScript } from '../helpers/laboratory.ts';
import { testHome } from '../helpers/test-home.ts';
import { openWorld } from '../helpers/world.ts';
import { expectedCalls, playClient } from './client-trial.ts';

const folder = path.join(import.meta.dirname, 'go-client');
const client = path.join(testHome, 'go-client');

async function runGoClient(databaseUrl: string, times: number): Promise<boolean> {
  const go = findProgram(['go'], ['/usr/local/go/bin']);
  if (go === undefined) {
    console.log('not run: Go is not in PATH');
    return true;
  }
  const run = (...args: string[]) =>
    execFileSync(go, args, { cwd: folder, env: { ...process.env, GOTOOLCHAIN: 'local' }, stdio: 'inherit' });
  try {
    run('mod', 'download');
  } catch {
    console.log('not run: Go cannot download the client');
    return true;
  }
  run('vet', '.');
  run('build', '-o', client, '.');
  const world = await openWorld({ database: { url: databaseUrl, drop: async () => undefined } });
  try {
    for (let played = 0; played < times; played++)
      assert.deepEqual(await playClient(world, [client]), expectedCalls());
    console.log(`passed  ${times} times`);
    return true;
  } finally {
    await world.close();
  }
}

await runAsScript(import.meta.url, 'times', 3, runGoClient);
