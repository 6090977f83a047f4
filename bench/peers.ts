import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { type Program, startProgram } from './program.ts';

const folder = path.join(import.meta.dirname, 'peers');
const portkey = path.join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
let installed: boolean | undefined;

/**
 * Starts Portkey's gateway with this upstream. If npm cannot install it, prints the reason and returns undefined.
 * It has its own lock, so that an installation of Parley does not include its 95 packages. Install scripts do not run,
 * because they patch nothing that the gateway uses. Do not update `@hono/node-server` in the lock: with later versions,
 * the gateway returns 500 for streams.
 */
export async function startPortkey(upstream: Program): Promise<Program | undefined> {
  installed ??= install();
  if (!installed) return undefined;
  const program = await startProgram(portkey, (port) => [`--port=${port}`, '--headless'], {});
  const headers = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstream.base}/v1` };
  return { ...program, headers };
}

function install(): boolean {
  console.log(`  installing the peers of ${path.relative(process.cwd(), folder)}`);
  try {
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    return true;
  } catch (error) {
    console.log(
      `  not measured: the peers cannot be installed (${(error as Error).message.split('\n', 1)[0]})`,
    );
    return false;
  }
}
