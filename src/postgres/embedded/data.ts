import type { SpawnOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { hasCode } from '../error-code.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedError } from './error.ts';
import type { ServerLog } from './log.ts';
import type { ServerFiles } from './place.ts';
import { runProgram } from './program.ts';
import { serverUser } from './user.ts';

export interface DataMaking {
  readonly binaries: Binaries;
  /** Whether missing data may be created. */
  readonly mayInitialise: boolean;
}

/**
 * Creates the data if it is missing.
 * @throws EmbeddedError if the data belongs to another major version, or is missing and may not be created
 */
export async function prepareData(
  files: ServerFiles,
  { binaries, mayInitialise }: DataMaking,
  log: ServerLog,
): Promise<void> {
  const made = dataMajor(files);
  if (made === undefined) {
    if (!mayInitialise) throw new EmbeddedError(`the database in ${files.data} is gone: start Parley again`);
    await initialise(files, binaries, log);
  } else if (made !== binaries.major)
    throw new EmbeddedError(
      `the database in ${files.data} is of Postgres ${made}, and this Parley brings ${binaries.major}: ` +
        'run "parley export FILE" with the Parley that made it, then "parley import FILE" with this one and ' +
        'PARLEY_HOME set to a new folder',
    );
}

/** The major version of Postgres that created this data. Undefined if there is no data. */
export function dataMajor({ data }: ServerFiles): string | undefined {
  try {
    return fs.readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function initialise(files: ServerFiles, binaries: Binaries, log: ServerLog): Promise<void> {
  const user = serverUser(files.data);
  const fresh = freshPrefix(files) + randomBytes(6).toString('hex');
  const passwordFile = `${fresh}.password`;
  fs.mkdirSync(fresh, { mode: 0o700 });
  try {
    fs.copyFileSync(files.password, passwordFile);
    if (user) for (const place of [fresh, passwordFile]) fs.chownSync(place, user.uid, user.gid);
    // Postgres's built-in locale sorts the same on every machine, and knows upper and lower case beyond ASCII.
    const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
    const access = ['--username=parley', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    const args = ['-D', fresh, '--no-instructions', ...locale, ...access];
    // Through pipes, because on a full disk the error would not reach the log.
    const stdio: SpawnOptions['stdio'] = ['ignore', 'pipe', 'pipe'];
    const { child: initdb } = runProgram(path.join(binaries.folder, 'initdb'), args, stdio, user);
    for (const output of [initdb.stdout, initdb.stderr])
      output?.setEncoding('utf8').on('data', (text: string) => log.append(text));
    const [code, signal] = (await once(initdb, 'close')) as [number | null, NodeJS.Signals | null];
    if (code !== 0) throw new Error(`initdb ended with ${code ?? signal}`);
    fs.renameSync(fresh, files.data);
  } finally {
    fs.rmSync(passwordFile, { force: true });
    fs.rmSync(fresh, { recursive: true, force: true });
  }
}

/** The data is created under another name and then renamed, so that it is never incomplete. */
const freshPrefix = (files: ServerFiles) => `${files.data}.fresh-`;

/** Removes what processes left behind that were killed while they created the data. */
export function sweep(files: ServerFiles): void {
  const folder = path.dirname(files.data);
  for (const name of fs.readdirSync(folder)) {
    const place = path.join(folder, name);
    if (!place.startsWith(freshPrefix(files))) continue;
    try {
      fs.rmSync(place, { recursive: true, force: true });
    } catch (error) {
      // The initdb of a killed process may still write for a moment. The next start removes the rest.
      if (!hasCode(error, 'ENOTEMPTY')) throw error;
    }
  }
}
