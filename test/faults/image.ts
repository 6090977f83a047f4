import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openSecondServer } from '../helpers/second-server.ts';
import { buildImage } from '../image/build.ts';
import { copyCheckout, git } from '../image/checkout.ts';
import { bareMachine } from '../image/machine.ts';
import { proveContainer } from '../image/prove-container.ts';
import { proveContents } from '../image/prove-contents.ts';
import { provePackage } from '../image/prove-package.ts';
import { openTable } from '../image/table.ts';

/**
 * Builds the image without a container engine, and runs it with the kernel's namespaces. Runs the steps of
 * the Dockerfile with the same commands in empty folders. Then starts the result as process 1 with uid 10001,
 * on a read-only file system, with its own Postgres. Finally packs and installs the package. Linux only.
 *
 * Usage: node test/faults/image.ts
 */
const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-image-'));
// The image's user must be able to enter the folder.
chmodSync(folder, 0o755);
const newFolder = (name: string) => {
  const made = path.join(folder, name);
  mkdirSync(made);
  return made;
};
const commit = git('rev-parse', 'HEAD');
const { username, uid } = os.userInfo();
console.log(
  `As ${username} (uid ${uid}), Linux ${os.release()}, Node.js ${process.versions.node}, at ${commit}:\n`,
);
const table = openTable();
const server = await openSecondServer();
try {
  const env = bareMachine(newFolder('machine'));
  const context = newFolder('context');
  copyCheckout(context);
  const buildArgs = { PARLEY_GIT_SHA: commit };
  const stages = newFolder('stages');
  const { image, steps } = buildImage({ context, folder: stages, env, buildArgs });
  for (const { text, seconds } of steps) table.row(`\`${text}\``, `${seconds.toFixed(1)} s`, true);
  proveContents(image, table);
  await proveContainer({ image, commit, databaseUrl: server.url, folder: newFolder('containers') }, table);
  const packages = path.join(stages, '0/build/node_modules');
  await provePackage({ folder: newFolder('package'), env: { ...env, ...buildArgs }, packages, image }, table);
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
if (!table.isGood()) process.exitCode = 1;
