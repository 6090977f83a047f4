import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { freePort } from '../helpers/second-server.ts';
import type { Image } from './build.ts';
import { type Container, containersOf } from './container.ts';
import { entriesOf } from './listing.ts';
import type { Table } from './table.ts';
import { health, listFlows, toolsOf } from './use.ts';

const launcher = path.resolve(import.meta.dirname, '../../bin/parley.js');
/** Milliseconds that engines give a container between SIGTERM and SIGKILL. */
const grace = 10_000;
/** The level of ordinary log lines. */
const information = 30;

/** A script that prints its process id, its user and groups, and where it can write. */
const probing = `
  const writing = {};
  for (const place of ['/', '/parley', '/parley/dist', '/usr', '/usr/local', '/tmp'])
    try {
      fs.writeFileSync(place + '/probe', '');
      writing[place] = 'works';
    } catch ({ code }) {
      writing[place] = code;
    }
  const who = [process.pid, process.getuid(), process.getgid(), ...process.getgroups()].join(', ');
  console.log(JSON.stringify({ who, writing }));`;

interface Subject {
  readonly image: Image;
  /** The commit that the image was built from. */
  readonly commit: string;
  /** The URL of an empty database. */
  readonly databaseUrl: string;
  /** An empty folder. */
  readonly folder: string;
}

/** Checks that containers of the image work as an engine would start them, and write only to /tmp. */
export async function proveContainer(subject: Subject, table: Table): Promise<void> {
  await refusals(subject, table);
  await production(subject, table);
  await writtenFiles(subject, table);
}

/** Checks that the server exits with one line if a variable that production needs is missing. */
async function refusals({ image, folder, databaseUrl }: Subject, { row }: Table): Promise<void> {
  const { run } = containersOf(image, folder);
  const refusal = async (what: string, env: Record<string, string>) => {
    const { code, stdout, stderr } = await run([...image.entrypoint, ...image.command], { env });
    const inOneLine = code === 1 && stdout === '' && /^parley: .*\n$/.test(stderr);
    row(what, `exit status ${code}, \`${stderr.trim()}\``, inOneLine);
  };
  await refusal('with no variable set', {});
  await refusal('with DATABASE_URL only', { DATABASE_URL: databaseUrl });
}

async function production(subject: Subject, { row }: Table): Promise<void> {
  const { image, commit } = subject;
  const served = await serve(subject, { writable: false });
  const { env, seconds, healthy, credentials, run, prepare, container } = served;
  row(
    `\`${[...image.entrypoint, ...image.command].join(' ')}\` on Postgres ${await versionOf(subject.databaseUrl)}`,
    `healthy after ${seconds.toFixed(1)} s: ${JSON.stringify(healthy)}`,
    healthy['gitSha'] === commit,
  );
  const { who, writing } = JSON.parse((await run(['node', '-e', probing], { env })).stdout) as {
    who: string;
    writing: Record<string, string>;
  };
  const { uid, gid } = image;
  row('process, user, group, groups', who, who === `1, ${uid}, ${gid}, ${gid}` && uid > 0);
  const writes = Object.entries(writing);
  row(
    'writing a file',
    writes.map(([place, seen]) => `${place} ${seen}`).join(', '),
    writes.every(([place, seen]) => seen === (place === '/tmp' ? 'works' : 'EROFS')),
  );
  const well = await run(image.healthcheck, { env });
  row('HEALTHCHECK during the run', `exit status ${well.code}, ${well.stdout.trim()}`, well.code === 0);
  const { status, body } = await listFlows(served.base, credentials);
  row('REST: list_flows with the key of `project create`', `${status} ${body}`, status === 200);
  const withKey = { ...env, PARLEY_API_KEY: credentials.key };
  const tools = await toolsOf(prepare([...image.entrypoint, 'mcp'], { env: withKey }));
  const fromSources = await toolsOf({ command: process.execPath, args: [launcher, 'mcp'], env: withKey });
  const same = isDeepStrictEqual(tools, fromSources);
  row(
    'MCP over stdio: tools/list',
    `${tools.length} tools, ${same ? 'equal to' : 'different from'} those of the sources`,
    same && tools.length > 0,
  );
  const { code, stderr, milliseconds } = await stop(container);
  row(
    'SIGTERM',
    `exit status ${code} after ${Math.round(milliseconds)} ms`,
    code === 0 && milliseconds < grace,
  );
  const logged = stderr.trim().split('\n');
  const loud = logged.filter((line) => (JSON.parse(line) as { level: number }).level > information);
  row(
    'lines of its log; warnings or worse among them',
    `${logged.length}; ${loud.join(' ') || 'none'}`,
    loud.length === 0,
  );
  const ill = await run(image.healthcheck, { env });
  row('HEALTHCHECK after the run', `exit status ${ill.code}, ${ill.stdout.trim()}`, ill.code === 1);
}

/** Repeats the work on a writable file system. Checks that the server does not try to write elsewhere. */
async function writtenFiles(subject: Subject, { row }: Table): Promise<void> {
  const { container, base, credentials } = await serve(subject, { writable: true });
  await listFlows(base, credentials);
  await stop(container);
  const placesIn = (folder: string) => entriesOf(folder).map(({ place }) => place);
  const brought = new Set(placesIn(subject.image.root));
  const mounted = /^(?:bin|dev|lib|lib64|parley|proc|sbin|tmp|usr)$|^dev\/(?:null|urandom)$/;
  const elsewhere = [
    ...placesIn(container.files).filter((place) => !brought.has(place)),
    ...placesIn(container.root).filter((place) => !mounted.test(place)),
  ].join(', ');
  const temporary = new Set(placesIn(container.tmp).map((place) => place.split('/')[0]));
  row(
    'files written on a writable file system',
    `in /tmp: ${[...temporary].join(', ') || 'nothing'}; elsewhere: ${elsewhere || 'nothing'}`,
    elsewhere === '',
  );
}

/** Starts the image's own command, waits until it is healthy, and creates a project in another container. */
async function serve({ image, folder, databaseUrl }: Subject, { writable }: { writable: boolean }) {
  const containers = containersOf(image, folder);
  const port = await freePort();
  const env = {
    DATABASE_URL: databaseUrl,
    PARLEY_SECRET_KEY: 'a secret key of the image run',
    PORT: String(port),
  };
  const began = performance.now();
  const container = containers.start([...image.entrypoint, ...image.command], { env, writable });
  // The server responds on this unusual loopback address only if it listens on all addresses.
  const base = `http://127.0.0.2:${port}`;
  const healthy = await health(base, container.ended);
  const seconds = (performance.now() - began) / 1000;
  const create = [...image.entrypoint, 'project', 'create', '--name', 'Proof', '--json'];
  const { code, stdout, stderr } = await containers.run(create, { env });
  if (code !== 0) throw new Error(`project create: ${stderr}`);
  const credentials = JSON.parse(stdout) as { projectId: string; key: string };
  return { ...containers, container, env, base, healthy, seconds, credentials };
}

async function stop({ kill, ended }: Container) {
  const began = performance.now();
  kill('SIGTERM');
  const { code, stderr } = await ended;
  return { code, stderr, milliseconds: performance.now() - began };
}

async function versionOf(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  return rows[0]?.server_version ?? '';
}
