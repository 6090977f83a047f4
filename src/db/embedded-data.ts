import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import type { Binaries } from './embedded-binaries.ts';
import { EmbeddedError } from './embedded-error.ts';
import type { ServerLog } from './embedded-log.ts';
import { type ServerFiles, serverUser } from './embedded-place.ts';
import { runProgram } from './embedded-program.ts';
import { hasCode } from './error-code.ts';

export interface DataMaking {
  readonly binaries: Binaries;
  /** Whether data may be made where there is none. */
  readonly mayInitialise: boolean;
}

/**
 * Makes the data where there is none.
 * @throws EmbeddedError where there is data of another major version, or none and none may be made.
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

/** The major version of Postgres that made this data; undefined where there is none. */
export function dataMajor({ data }: ServerFiles): string | undefined {
  try {
    return fs.readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function initialise(files: ServerFiles, binaries: Binaries, log: ServerLog): Promise<void> {
  const fresh = freshPrefix(files) + randomBytes(6).toString('hex');
  const passwordFile = `${fresh}.password`;
  fs.mkdirSync(fresh, { mode: 0o700 });
  try {
    fs.copyFileSync(files.password, passwordFile);
    if (serverUser.uid !== undefined) {
      fs.chownSync(fresh, serverUser.uid, serverUser.gid);
      fs.chownSync(passwordFile, serverUser.uid, serverUser.gid);
    }
    // The locale that comes with Postgres orders alike on every machine, and knows the case of more than ASCII.
    const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
    const access = ['--username=parley', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    const args = ['-D', fresh, '--no-instructions', ...locale, ...access];
    // Through pipes: on a full disk its complaint would not reach the log.
    const initdb = runProgram(path.join(binaries.folder, 'initdb'), args, ['ignore', 'pipe', 'pipe']);
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

/** The data is made under a name of its own and then renamed, so that it is there as a whole or not at all. */
const freshPrefix = (files: ServerFiles) => `${files.data}.fresh-`;

/** Removes what processes left that were killed while they made the data. */
export function sweep(files: ServerFiles): void {
  const folder = path.dirname(files.data);
  for (const name of fs.readdirSync(folder)) {
    const place = path.join(folder, name);
    if (!place.startsWith(freshPrefix(files))) continue;
    try {
      fs.rmSync(place, { recursive: true, force: true });
    } catch (error) {
      // The initdb of a killed process writes on for a moment. The next start sweeps again.
      if (!hasCode(error, 'ENOTEMPTY')) throw error;
    }
  }
}
