import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Place } from './place.ts';
import { patience, runParley } from './process.ts';
import { storedNames } from './rows.ts';
import { fail, pass, type Seen, secondsSince } from './seen.ts';
import { type Served, startServe } from './writers.ts';

/** Expects a write to survive a restart, and `parley doctor` to find no problem. */
export async function works(place: Place): Promise<Seen> {
  const first = await startServe(place);
  const name = `kept ${performance.now()}`;
  const written = await first.write(name);
  const code = await first.end();
  const second = await startServe(place);
  const read = await second.read();
  const stored = (await storedNames(place.home)).has(name);
  const again = await second.end();
  const doctor = await runParley(place, ['doctor']);
  const isFine = written === 'acknowledged' && read === 200 && stored && code === 0 && again === 0;
  if (isFine && doctor.code === 0) return pass(`works, with its data in ${dataOf(place)}`);
  return fail(
    `written: ${written}, read after a restart: ${read}, stored: ${stored}, exit status ${code} and ${again}, doctor ${doctor.code}`,
  );
}

/** Expects `parley serve` to exit with one line on stderr, and `parley doctor` to find a problem. */
export async function refuses(place: Place, env = {}): Promise<Seen> {
  const { code, stdout, stderr } = await runParley(place, ['serve', '--no-demo'], env);
  const doctor = await runParley(place, ['doctor'], env);
  const said = hidden(stderr.trimEnd(), place);
  if (code !== 1 || stdout !== '' || !/^parley: .+$/.test(said))
    return fail(`exit status ${code}: ${said.replaceAll('\n', ' ').slice(0, 300)}`);
  if (doctor.code !== 1) return fail(`parley doctor finds no problem: ${said}`);
  return pass(`exits with one line: "${said}"`);
}

/** Repeats writes until one is acknowledged. Returns the seconds from `since` to then. */
export async function untilAcknowledged(server: Served, since = performance.now()): Promise<string> {
  for (const late = performance.now() + patience; performance.now() < late; await delay(10))
    if ((await server.write(`again ${performance.now()}`)) === 'acknowledged') return secondsSince(since);
  throw new Error('no write was acknowledged again');
}

/** Names the folder that holds the data. */
function dataOf({ home }: Place): string {
  return fs.existsSync(path.join(home, 'postgres')) ? 'PARLEY_HOME' : '/var/lib/parley';
}

/** Replaces the folders of a message, because their names are different in each run. */
function hidden(said: string, { home }: Place): string {
  return said.replaceAll(home, '$PARLEY_HOME').replaceAll(path.dirname(home), '$FOLDER');
}
