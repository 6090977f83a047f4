import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { diskSizes, diskVariable, mount, unmount } from './disks.ts';
import { checkout, cloneIn, newFolder } from './place.ts';

/** The user `nobody`, which every system has. */
const uid = 65_534;
/** Variables that npm may need to reach a registry from this machine. */
const wayToTheRegistry = ['NODE_EXTRA_CA_CERTS', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/**
 * Runs `script` again as an ordinary user, in a copy of this checkout that the user owns. Mounts the small
 * disks first, because only root can. The script inherits stdout and stderr.
 * @returns whether the script passed
 */
export async function runAsOrdinaryUser(
  script: string,
  args: readonly string[],
  gitSha: string,
): Promise<boolean> {
  const folder = newFolder('user');
  const { root } = cloneIn(folder);
  const temporary = path.join(folder, 'tmp');
  fs.mkdirSync(temporary);
  execFileSync('chown', ['-R', `${uid}:${uid}`, folder]);
  const disks = Object.fromEntries(
    diskSizes.map((size) => [diskVariable(size), path.join(folder, `disk-${size}`)]),
  );
  for (const size of diskSizes)
    mount(disks[diskVariable(size)] ?? '', `size=${size}m,mode=755,uid=${uid},gid=${uid}`);
  const way = Object.fromEntries(wayToTheRegistry.map((name) => [name, process.env[name]]));
  const inCopy = (file: string) => path.join(root, path.relative(checkout, file));
  const node = process.execPath.startsWith(checkout) ? inCopy(process.execPath) : process.execPath;
  const child = spawn(node, [inCopy(script), ...args], {
    uid,
    gid: uid,
    cwd: root,
    env: {
      ...way,
      ...disks,
      PATH: `${path.dirname(node)}:${process.env['PATH']}`,
      HOME: temporary,
      TMPDIR: temporary,
      PARLEY_GIT_SHA: gitSha,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const cleanUp = () => {
    child.kill();
    for (const disk of Object.values(disks)) unmount(disk);
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', cleanUp);
  const [code] = (await once(child, 'close')) as [number | null];
  process.off('exit', cleanUp);
  cleanUp();
  return code === 0;
}
