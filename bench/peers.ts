import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { type Program, startProgram } from './program.ts';

const folder = path.join(import.meta.dirname, 'peers');
const portkey = path.join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
let installed: boolean | undefined;

/**
 * Portkey's gateway before this upstream; undefined where npm cannot install it here, which is said. It has a lock of
 * its own, so that nobody who installs Parley gets its 95 packages. Its scripts stay unrun: what they patch is no part
 * of what it runs. Its streams answer 500 with a later `@hono/node-server` than the one that its lock names.
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
