import fs from 'node:fs';
import { installedPackage } from '../../../postgres/embedded/binaries.ts';
import type { EmbeddedLook } from '../../../postgres/embedded/look.ts';
import { knownServerUid } from '../../../postgres/embedded/user.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { listens } from './port.ts';

/** Checks the version, owner and mode of the embedded Postgres's data. */
export function embeddedData({ files, dataMajor }: EmbeddedLook): Finding[] {
  const { data } = files;
  if (dataMajor === undefined) return [ok(`there is no database yet; the first start creates it in ${data}`)];
  const [major = ''] = installedPackage().version.split('.', 1);
  if (dataMajor !== major)
    return [
      problem(
        `the database in ${data} belongs to Postgres ${dataMajor}, and this Parley brings Postgres ${major}`,
        'run "parley export FILE" with the Parley that created it, then "parley import FILE" with this one and PARLEY_HOME set to a new folder',
      ),
    ];
  const { uid: owner, mode } = fs.statSync(data);
  const uid = knownServerUid(data);
  if (uid !== undefined && owner !== uid)
    return [
      problem(
        `the database in ${data} belongs to uid ${owner}, and Postgres would run as uid ${uid}`,
        'start Parley as the user who created it, or set PARLEY_HOME to another folder',
      ),
    ];
  if ((mode & 0o027) !== 0)
    return [problem(`other users can open the database in ${data}`, `chmod 700 ${data}`)];
  return [ok(`the database in ${data} belongs to Postgres ${dataMajor}`)];
}

/** Reports what a killed server left behind. */
export async function leftBehind(look: EmbeddedLook): Promise<Finding[]> {
  const found: Finding[] = [];
  if (look.stale)
    found.push(
      warning(
        'the last server was killed and left its postmaster.pid',
        'nothing to do: the next start removes it and recovers',
      ),
    );
  const { keptPort, server } = look;
  if (keptPort !== undefined && server === undefined && (await listens('127.0.0.1', keptPort)))
    found.push(
      warning(
        `another program uses port ${keptPort}, which the server had`,
        'nothing to do: the next start takes another port',
      ),
    );
  return found.length > 0 ? found : [ok('no killed server left anything behind')];
}

/** Reports whether the server runs, and which processes use it. */
export function serverAndUsers({ server }: EmbeddedLook, users: readonly number[] | undefined): Finding[] {
  if (server === undefined)
    return [ok('the embedded Postgres is not running; a command that needs it starts it')];
  const what = `the embedded Postgres runs (process ${server.pid}, port ${server.port})`;
  if (users === undefined)
    return [problem(`${what} and does not respond`, 'read server.log, or run parley stop and start again')];
  if (users.length > 0) return [ok(`${what} and is used by process ${users.join(', ')}`)];
  return [warning(`${what} and no process uses it`, 'run parley stop, or leave it to the next process')];
}
