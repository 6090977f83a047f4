import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** The folder of what tests keep from one run to the next, such as the peers that they installed. */
export const testHome = path.resolve(
  import.meta.dirname,
  '../..',
  process.env['PARLEY_TEST_HOME'] ?? '.parley-test',
);

const memory = '/dev/shm';
/** A run takes less than 1 GiB: the databases of the files that run, 256 MiB of log, the servers that slow tests start. */
const room = 2 * 1024 ** 3;
const prefix = 'parley-test-';
/** Contains the test home that a folder in memory belongs to. */
const owner = 'test-home';

/**
 * The home of the Postgres that tests share: in memory if the system has room there, else in the test home.
 * A file of tests makes and removes some 450 files of a database. On ext4 without a journal, the search for a free inode
 * gets longer with each file that was removed in the last minutes, which took half of the CPU time of Postgres.
 */
export const postgresHome = memoryHasRoom()
  ? path.join(memory, prefix + createHash('sha256').update(testHome).digest('hex').slice(0, 12))
  : testHome;

/** Creates the home of Postgres. Frees the memory of homes whose test home has been removed. */
export function makePostgresHome(): void {
  fs.mkdirSync(testHome, { recursive: true });
  if (postgresHome === testHome) return;
  for (const name of fs.readdirSync(memory).filter((one) => one.startsWith(prefix))) {
    const mark = path.join(memory, name, owner);
    if (fs.existsSync(mark) && !fs.existsSync(fs.readFileSync(mark, 'utf8')))
      fs.rmSync(path.join(memory, name), { recursive: true, force: true });
  }
  fs.mkdirSync(postgresHome, { recursive: true, mode: 0o711 });
  fs.writeFileSync(path.join(postgresHome, owner), testHome);
}

/**
 * Where tests make temporary folders: in memory for the same reason, because the data of a new server of Postgres is
 * 1,000 files. Undefined if memory has no room, or nothing in it may be executed: tests start programs that they make.
 */
export const memoryFolder = memoryHasRoom() && mayExecute(memory) ? memory : undefined;

function memoryHasRoom(): boolean {
  if (process.platform !== 'linux' || !fs.existsSync(memory)) return false;
  const { bavail, bsize } = fs.statfsSync(memory);
  return bavail * bsize >= room;
}

function mayExecute(mountPoint: string): boolean {
  const mounts = fs.readFileSync('/proc/mounts', 'utf8').split('\n');
  const mount = mounts.map((line) => line.split(' ')).findLast(([, place]) => place === mountPoint);
  return mount?.[3]?.split(',').includes('noexec') === false;
}
