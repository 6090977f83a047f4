/**
 * Breaks the code on purpose. For every `*.patch` in this folder, the test that the patch names must fail.
 *
 * A patch is a `git diff` after a header with `Test: <file> :: <part of the test's name>` and `Guards: <what>`. The name
 * has vitest's form, `suite > test`.
 * Each patch is applied to a copy of the working tree, where only the named test runs. Two copies serve in turn, each with
 * a host (host.ts), in which vitest starts once. The mutant is killed if the test itself ran and failed. A patch that does
 * not apply, code that does not load, and a timeout are errors.
 *
 * Usage: npm run mutants [-- --tested] [--changed] [<part of a patch's name>…]
 * --tested: all tests have just passed, so the named tests do not first run without a patch.
 * --changed: only mutants that differ from the record of those that were killed (killed.json), and one in eight of the others.
 * Every run updates the record.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { testHome } from '../helpers/test-home.ts';
import type { FileReport, HostReply, HostRequest } from './host.ts';
import { fingerprints, isSampled, readKillRecord, writeKillRecord } from './record.ts';

interface Mutant {
  readonly patch: string;
  readonly file: string;
  readonly name: string;
  readonly guards: string;
  /** The files that the patch changes. */
  readonly changes: readonly string[];
  /** The reason if the patch cannot be tried. */
  readonly problem: string | undefined;
}

interface Outcome {
  readonly verdict: 'killed' | 'survived' | 'error';
  readonly note: string;
}

/** A copy of the original tree, in which one mutant after the other is tried. */
interface Slot {
  readonly folder: string;
  /** Runs git on the copy. */
  readonly git: (...args: readonly string[]) => void;
  /** Runs tests in the copy. Starts with the first request, and again after a failure. */
  host: ChildProcess | undefined;
  /** The files that the last patch changed. */
  patched: readonly string[];
}

interface Run {
  /** The reason if the host did not reply. */
  readonly failure: string | undefined;
  /** Results for the files that vitest ran. */
  readonly reports: readonly FileReport[];
  /** Errors outside tests. */
  readonly errors: readonly string[];
}

/** How many mutants are tried at once, each in a copy of its own. */
const atOnce = 2;
/** Limits in milliseconds: the test of one mutant, and all tests without a patch. */
const timeLimit = 120_000;
const timeLimitUnpatched = 600_000;
const root = path.resolve(import.meta.dirname, '../..');
const patchFolder = 'test/mutants';
const copies = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-mutants-')));
// The user of the Postgres server must be able to enter a copy, as it can enter a checkout.
fs.chmodSync(copies, 0o755);
const children = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    cleanUp();
    process.exit(1);
  });

try {
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
} finally {
  cleanUp();
}

function cleanUp(): void {
  for (const child of children) killGroup(child);
  remove(copies);
}

async function main(args: readonly string[]): Promise<boolean> {
  const wanted = args.filter((part) => !part.startsWith('--'));
  const original = copyWorkingTree();
  const slots = Array.from({ length: atOnce }, (_, index) => openSlot(original, index));
  const [slot] = slots;
  if (slot === undefined) throw new TypeError('no slots');
  const patches = fs
    .readdirSync(path.join(original, patchFolder))
    .filter((file) => file.endsWith('.patch'))
    .toSorted();
  const all = patches.map((patch) => readMutant(original, patch));
  const fingerprintOf = fingerprints(original, patchFolder);
  const killed = readKillRecord();
  const isKnown = (mutant: Mutant) => killed[mutant.patch] === fingerprintOf(mutant);
  const commit = args.includes('--changed') ? headOf(root) : undefined;
  const chosen = all.filter(
    ({ patch }) => wanted.length === 0 || wanted.some((part) => patch.includes(part)),
  );
  const mutants = chosen.filter(
    (mutant) => commit === undefined || !isKnown(mutant) || isSampled(mutant.patch, commit),
  );

  const named = args.includes('--tested') ? [] : mutants.filter(({ problem }) => problem === undefined);
  console.log(`${new Set(named.map(testOf)).size} tests without a patch:`);
  const notGreen = await unpatchedFailures(slot, named);
  for (const test of new Set(named.map(testOf)))
    console.log(`  ${notGreen.has(test) ? 'error' : 'green'}  ${test}`);

  console.log(`${mutants.length} mutants:`);
  const rows = await inTurn(slots, mutants, async (free, mutant) => {
    const began = performance.now();
    const test = testOf(mutant);
    const failure = notGreen.get(test);
    const problem = mutant.problem ?? (failure && `not green without the patch: ${failure}`);
    const outcome = problem === undefined ? await outcomeOf(free, mutant) : refusal(problem);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`  ${outcome.verdict.padEnd(8)}  ${mutant.patch}  ${seconds} s`);
    return { ...mutant, ...outcome, test, seconds };
  });

  console.log();
  printTable([
    ['Patch', 'Guards', 'Test', 'Result', 'Seconds'],
    ...rows.map(({ patch, guards, test, verdict, seconds }) => [patch, guards, test, verdict, seconds]),
  ]);
  for (const { patch, verdict, note } of rows)
    if (verdict !== 'killed') console.log(`\n${patch}: ${verdict}: ${note}`);
  const passed = rows.filter(({ verdict }) => verdict === 'killed').length;
  const left =
    commit === undefined ? '' : `, ${chosen.length - rows.length} unchanged since they were killed`;
  console.log(`\n${passed} passed, ${rows.length - passed} failed${left}`);
  const tried = new Map(rows.map(({ patch, verdict }) => [patch, verdict]));
  writeKillRecord(
    Object.fromEntries(
      all.flatMap((mutant) => {
        const isKilled = tried.has(mutant.patch) ? tried.get(mutant.patch) === 'killed' : isKnown(mutant);
        return isKilled ? [[mutant.patch, fingerprintOf(mutant)]] : [];
      }),
    ),
  );
  return passed === rows.length && (rows.length > 0 || commit !== undefined);
}

function headOf(folder: string): string {
  return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim();
}

function testOf({ file, name }: Mutant): string {
  return `${file} :: ${name}`;
}

function readMutant(original: string, patch: string): Mutant {
  const text = fs.readFileSync(path.join(original, patchFolder, patch), 'utf8');
  const [header = ''] = text.split(/^diff --git /m, 1);
  const { file = '', name = '' } = /^Test: (?<file>\S+) :: (?<name>.*\S)/m.exec(header)?.groups ?? {};
  const guards = /^Guards: (.*\S)/m.exec(header)?.[1] ?? '';
  const changes = [...text.matchAll(/^diff --git a\/(\S+)/gm)].map(([, changed = '']) => changed);
  let problem: string | undefined;
  if (name === '') problem = 'the header has no line `Test: <file> :: <name>`';
  else if (guards === '') problem = 'the header has no line `Guards: <what>`';
  else if (!fs.existsSync(path.join(original, file))) problem = `there is no ${file}`;
  else if (changes.some((changed) => changed.startsWith('test/')))
    problem = 'it changes tests, and so proves nothing about them';
  else if (changes.some((changed) => changed.startsWith('src/postgres/migrations/')))
    problem = 'it changes a migration, but the database of the tests is migrated before';
  return { patch, file, name, guards, changes, problem };
}

function refusal(note: string): Outcome {
  return { verdict: 'error', note: stripVTControlCharacters(note) };
}

/** Copies tracked and new files, without ignored and deleted ones, so that all runs see the same state. */
function copyWorkingTree(): string {
  const original = path.join(copies, 'original');
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of listed.split('\0').slice(0, -1)) {
    const source = path.join(root, file);
    if (fs.existsSync(source)) fs.cpSync(source, path.join(original, file), { verbatimSymlinks: true });
  }
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(original, 'node_modules'));
  return original;
}

/** Copies the original tree for the mutants that are tried in turn. */
function openSlot(original: string, index: number): Slot {
  const folder = path.join(copies, `slot-${index}`);
  fs.cpSync(original, folder, { recursive: true, verbatimSymlinks: true });
  fs.chmodSync(folder, 0o755);
  // Tests must find no repository in the copy.
  const where = ['--git-dir', `${folder}.git`, '--work-tree', folder];
  const git = (...args: readonly string[]) =>
    void execFileSync('git', [...where, ...args], { cwd: folder, stdio: 'pipe' });
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=mutants', '-c', 'user.email=', 'commit', '--quiet', '--message=original');
  return { folder, git, host: undefined, patched: [] };
}

/** Runs all named tests without a patch. Returns the reason for each test that does not pass. */
async function unpatchedFailures(
  slot: Slot,
  mutants: readonly Mutant[],
): Promise<ReadonlyMap<string, string>> {
  const failures = new Map<string, string>();
  if (mutants.length === 0) return failures;
  const run = await runTests(slot, mutants, timeLimitUnpatched);
  for (const mutant of mutants) {
    const { verdict, note } = judge(run, slot, mutant);
    if (verdict !== 'survived') failures.set(testOf(mutant), note || 'the test failed');
  }
  // An error outside a test may belong to any of the tests.
  if (failures.size === 0 && run.errors.length > 0)
    for (const mutant of mutants) failures.set(testOf(mutant), run.errors.join('\n'));
  return failures;
}

async function outcomeOf(slot: Slot, mutant: Mutant): Promise<Outcome> {
  try {
    slot.git('reset', '--quiet', '--hard');
    // The built web files stay: the name of their folder is a hash of their sources.
    slot.git('clean', '--quiet', '-ffdx', '--exclude=/web/.built');
    slot.git('apply', '--whitespace=nowarn', path.join(patchFolder, mutant.patch));
    const changed = [...slot.patched, ...mutant.changes];
    slot.patched = mutant.changes;
    return judge(await runTests(slot, [mutant], timeLimit, changed), slot, mutant);
  } catch (error) {
    return refusal(error instanceof Error ? error.message : String(error));
  }
}

function remove(folder: string): void {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Runs the tests that the mutants name, by file and by name. A test with one of the names in another file runs too. */
async function runTests(
  slot: Slot,
  mutants: readonly Mutant[],
  limit: number,
  changed: readonly string[] = [],
): Promise<Run> {
  slot.host ??= openHost(slot);
  const { host } = slot;
  const patterns = mutants.map(({ name }) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  const request: HostRequest = {
    files: [...new Set(mutants.map(({ file }) => file))],
    names: patterns.join('|'),
    changed: changed.map((file) => path.join(slot.folder, file)),
  };
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort('it took too long'), limit);
  host.once('exit', (code, signal) =>
    ended.abort(`the host ended (${signal ?? `exit status ${code}`}): ${lastLines(outputOf(slot))}`),
  );
  try {
    host.send(request);
    const [reply] = (await once(host, 'message', { signal: ended.signal })) as [HostReply];
    // Processes that these tests start may outlive them.
    if (request.files.some((file) => file.endsWith('.slow.test.ts'))) closeHost(slot);
    return { failure: undefined, ...reply };
  } catch (error) {
    closeHost(slot);
    const failure = ended.signal.aborted ? String(ended.signal.reason) : String(error);
    return { failure, reports: [], errors: [] };
  } finally {
    clearTimeout(timer);
    host.removeAllListeners('exit');
  }
}

function openHost({ folder }: Slot): ChildProcess {
  // The output goes to a file, because a process that outlives its test would keep a pipe open.
  const printed = fs.openSync(outputFile(folder), 'w');
  const host = spawn(process.execPath, ['test/mutants/host.ts', `${folder}.modules`], {
    cwd: folder,
    // In its own process group, so that its workers end with it.
    detached: true,
    stdio: ['ignore', printed, printed, 'ipc'],
    env: {
      ...process.env,
      NO_COLOR: '1',
      // The modules that Node.js has compiled, by their path and content.
      NODE_COMPILE_CACHE: `${folder}.compiled`,
      // Copies use the test server of the original tree, instead of starting their own.
      PARLEY_TEST_HOME: testHome,
    },
  });
  children.add(host);
  fs.closeSync(printed);
  return host;
}

function closeHost(slot: Slot): void {
  if (slot.host === undefined) return;
  killGroup(slot.host);
  children.delete(slot.host);
  slot.host = undefined;
}

function outputFile(folder: string): string {
  return `${folder}.output`;
}

function outputOf({ folder }: Slot): string {
  return fs.readFileSync(outputFile(folder), 'utf8');
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All processes of the group have ended.
  }
}

function judge({ failure, reports, errors }: Run, { folder }: Slot, { file, name }: Mutant): Outcome {
  if (failure !== undefined) return refusal(failure);
  const report = reports.find((one) => one.file === path.join(folder, file));
  if (!report) return refusal(`the file was not run: ${errors.join('\n')}`);
  const ran = report.tests.filter(
    (test) => (test.state === 'passed' || test.state === 'failed') && test.name.includes(name),
  );
  if (ran.length === 0) return refusal(`no test ran: ${report.message || 'none has this name'}`);
  const failed = ran.filter(({ state }) => state === 'failed');
  if (failed.length === 0) {
    const note = errors.length === 0 ? 'the test passed' : 'the test passed, and something else failed';
    return { verdict: 'survived', note };
  }
  if (failed.flatMap(({ messages }) => messages).every((text) => /^\w+: (Test|Hook) timed out in/.test(text)))
    return refusal('the test timed out, which proves no more than that it waited');
  return { verdict: 'killed', note: '' };
}

/** Does `work` for each item, in the slot that is free next. The results have the order of the items. */
async function inTurn<Item, Result>(
  slots: readonly Slot[],
  items: readonly Item[],
  work: (slot: Slot, item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async (slot: Slot) => {
    for (const [index, item] of queue) results[index] = await work(slot, item);
  };
  await Promise.all(slots.map(worker));
  return results;
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-12).join('\n');
}
