import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { refuses, untilAcknowledged } from './checks.ts';
import { asRoot, homeIn, type Place, serverPid } from './place.ts';
import { remove } from './process.ts';
import { storedNames } from './rows.ts';
import { counted, fail, notTried, pass, type Seen } from './seen.ts';
import { type Served, startServe } from './writers.ts';

/** In MiB: one disk that is too small for a database, and one that is large enough. */
export const diskSizes = [16, 96] as const;
const [tooSmall, large] = diskSizes;

/** Names the environment variable with the folder of a disk of this size, because only root can mount one. */
export const diskVariable = (mebibytes: number) => `SMALL_DISK_${mebibytes}`;

export function fullBeforeTheFirstStart(folder: string): Promise<Seen> {
  return onSmallDisk(folder, tooSmall, async (place) => {
    const { result, seen } = await refuses(place);
    const left = fs.readdirSync(place.home).join(', ');
    return { result, seen: `${seen}; left behind: ${left}` };
  });
}

export function fullUnderAServer(folder: string): Promise<Seen> {
  return onSmallDisk(folder, large, async (place, disk) => {
    const server = await startServe(place);
    const room = fill(disk);
    const { tally, names } = await write(server, 300);
    const reads = await Promise.all(Array.from({ length: 20 }, () => server.read()));
    const answered = reads.filter((status) => status === 200).length;
    const freed = performance.now();
    room.free();
    const seconds = await untilAcknowledged(server, freed);
    const stored = await storedNames(place.home);
    await server.end();
    const lost = names.filter((name) => !stored.has(name)).length;
    const seen =
      `300 writes: ${counted(tally)}; ${answered} of 20 reads succeeded; next write ${seconds} s after space ` +
      `was free again; rows lost: ${lost}`;
    const clean = [...tally.keys()].every((outcome) => outcome === 'acknowledged' || outcome === 'refused');
    return clean && lost === 0 && answered === 20 ? pass(seen) : fail(seen);
  });
}

export function fullAndTheServerKilled(folder: string): Promise<Seen> {
  return onSmallDisk(folder, large, async (place, disk) => {
    const server = await startServe(place);
    const before = await write(server, 20);
    const room = fill(disk);
    process.kill(serverPid(place.home), 'SIGKILL');
    const meanwhile = await write(server, 20, 200);
    const freed = performance.now();
    room.free();
    const seconds = await untilAcknowledged(server, freed);
    const stored = await storedNames(place.home);
    await server.end();
    const names = [...before.names, ...meanwhile.names];
    const lost = names.filter((name) => !stored.has(name)).length;
    const seen = `20 writes after the kill: ${counted(meanwhile.tally)}; next write ${seconds} s after space was free again; rows lost: ${lost}`;
    const outcomes = [...meanwhile.tally.keys()];
    const clean = outcomes.every((outcome) => outcome === 'acknowledged' || outcome === 'refused');
    return clean && lost === 0 && before.names.length === 20 ? pass(seen) : fail(seen);
  });
}

/** Mounts a disk in memory (tmpfs). Only root can do this. */
export function mount(place: string, options: string): void {
  fs.mkdirSync(place, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place]);
}

/** Unmounts lazily, because a process that was just killed may still hold a file open. */
export function unmount(place: string): void {
  execFileSync('umount', ['--lazy', place]);
}

/** Runs `work` with a home on a disk of this size. Root mounts it; the environment gives it to other users. */
async function onSmallDisk(
  folder: string,
  mebibytes: number,
  work: (place: Place, disk: string) => Promise<Seen>,
): Promise<Seen> {
  const given = process.env[diskVariable(mebibytes)];
  if (!asRoot && given === undefined) return notTried(`${diskVariable(mebibytes)} is not set`);
  const disk = given ?? path.join(folder, 'disk');
  if (given === undefined) mount(disk, `size=${mebibytes}m,mode=755`);
  const place = homeIn(disk);
  try {
    return await work(place, disk);
  } finally {
    fs.rmSync(path.join(disk, 'ballast'), { force: true });
    await remove(place.home, place.home);
    if (given === undefined) unmount(disk);
  }
}

async function write(server: Served, count: number, pause = 0) {
  const names: string[] = [];
  const tally = new Map<string, number>();
  for (let number = 0; number < count; number++) {
    const name = `${number} ${performance.now()}`;
    const outcome = await server.write(name);
    if (outcome === 'acknowledged') names.push(name);
    tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
    await delay(pause);
  }
  return { names, tally };
}

/** Fills the disk with one file, which `free` removes. */
function fill(disk: string): { free(): void } {
  const file = path.join(disk, 'ballast');
  const descriptor = fs.openSync(file, 'w');
  const block = Buffer.alloc(65_536);
  try {
    for (;;) fs.writeSync(descriptor, block);
  } catch {
    return { free: () => fs.rmSync(file) };
  } finally {
    fs.closeSync(descriptor);
  }
}
