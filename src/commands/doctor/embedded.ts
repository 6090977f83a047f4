import fs from 'node:fs';
import { installedPackage } from '../../db/embedded-binaries.ts';
import { databaseUser, type EmbeddedLook } from '../../db/embedded-look.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { listens } from './port.ts';

/** Whether the database of the embedded Postgres is of its version, and its user's. */
export function embeddedData({ files, dataMajor }: EmbeddedLook): Finding[] {
  const { data } = files;
  if (dataMajor === undefined) return [ok(`there is no database yet; the first start makes it in ${data}`)];
  const [major = ''] = installedPackage().version.split('.', 1);
  if (dataMajor !== major)
    return [
      problem(
        `the database in ${data} is of Postgres ${dataMajor}, and this Parley brings ${major}`,
        'run "parley export FILE" with the Parley that made it, then "parley import FILE" with this one and PARLEY_HOME set to a new folder',
      ),
    ];
  const { uid: owner, mode } = fs.statSync(data);
  const uid = databaseUser();
  if (uid !== undefined && owner !== uid)
    return [
      problem(
        `the database in ${data} belongs to uid ${owner}, and Postgres would run as uid ${uid}`,
        'start Parley as the user who made it, or set PARLEY_HOME to another folder',
      ),
    ];
  if ((mode & 0o027) !== 0)
    return [problem(`the database in ${data} is open to other users`, `chmod 700 ${data}`)];
  return [ok(`the database in ${data} is of Postgres ${dataMajor}`)];
}

/** What an earlier server left behind. */
export async function leftBehind(look: EmbeddedLook): Promise<Finding[]> {
  const found: Finding[] = [];
  if (look.stale)
    found.push(
      warning(
        'the last server was killed and left its postmaster.pid',
        'nothing to do: the next start clears it away and recovers',
      ),
    );
  const { keptPort, server } = look;
  if (keptPort !== undefined && server === undefined && (await listens('127.0.0.1', keptPort)))
    found.push(
      warning(
        `port ${keptPort}, which the server had, is taken by another program`,
        'nothing to do: the next start takes another one',
      ),
    );
  return found.length > 0 ? found : [ok('nothing is left of a server that was killed')];
}

/** Whether the server runs, and who uses it. */
export function serverAndUsers({ server }: EmbeddedLook, users: readonly number[] | undefined): Finding[] {
  if (server === undefined) return [ok('the embedded Postgres is not running; whoever needs it starts it')];
  const what = `the embedded Postgres runs (process ${server.pid}, port ${server.port})`;
  if (users === undefined)
    return [problem(`${what} and does not answer`, 'look at server.log, or run parley stop and start again')];
  if (users.length > 0) return [ok(`${what} and is used by process ${users.join(', ')}`)];
  return [warning(`${what} and nobody uses it`, 'run parley stop, or leave it to the next process')];
}
