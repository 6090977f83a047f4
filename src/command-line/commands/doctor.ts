import { existsSync } from 'node:fs';
import pg from 'pg';
import { type Config, ConfigError, readConfig } from '../../platform/config/config.ts';
import { codeOf } from '../../platform/errors.ts';
import { type EmbeddedLook, lookAtEmbedded, usersOf } from '../../postgres/embedded/look.ts';
import { knownServerUid } from '../../postgres/embedded/user.ts';
import { asPoolerError, PoolerError } from '../../postgres/pgbouncer.ts';
import { sessionConfig } from '../../postgres/session-config.ts';
import { isWellFormedKey } from '../../resources/keys/key.ts';
import { readBuild } from '../build-info.ts';
import { parseArguments } from '../command.ts';
import { credentialsFile, readCredentials } from '../home/credentials.ts';
import { storedSecretKeys } from '../home/secret-keys.ts';
import {
  keyWorks,
  languagesFit,
  limitsOf,
  originsMatch,
  postgresItself,
  schema,
  secretKeyFits,
  vectors,
} from './doctor/database.ts';
import { embeddedData, leftBehind, serverAndUsers } from './doctor/embedded.ts';
import { type Check, type Finding, findings, ok, problem } from './doctor/finding.ts';
import { diskSpace, homeFolder, secretModes } from './doctor/home.ts';
import { callsAreAnswered, designsHold, greetingsDisclose, secretsBound } from './doctor/live.ts';
import { binaries, clock, nodeVersion, passwdEntry } from './doctor/machine.ts';
import { servePort } from './doctor/port.ts';

export const usage = '[--json]';
export const summary =
  'Reports what is wrong with this installation and how to repair it, and changes nothing';
export const details = 'The exit status is 1 if there is a problem.';

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, { json: { type: 'boolean' } });
  const checks = await examine();
  const problems = checks.filter(({ level }) => level === 'problem').length;
  if (problems > 0) process.exitCode = 1;
  process.stdout.write(
    values['json'] ? `${JSON.stringify({ checks, problems })}\n` : checks.map(lineOf).join(''),
  );
}

function lineOf({ level, what, mend }: Finding): string {
  return `${level.padEnd(7)}  ${what}${mend === undefined ? '' : ` - ${mend}`}\n`;
}

async function examine(): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      problem(`the environment: ${error.message}`, 'correct or unset the variable; nothing else was checked'),
    ];
  }
  const { version, gitSha } = readBuild(config.gitSha);
  const { home, databaseUrl } = config;
  return [
    ok(`Parley ${version} (${gitSha}) on ${process.platform} ${process.arch}`),
    ...nodeVersion(),
    ...clock(),
    ...(needsHome(config) ? await findings('PARLEY_HOME', () => homeFolder(home)) : []),
    ...(await findings('PARLEY_HOME', () => secretModes(home))),
    ...(await findings('credentials', () => credentials(config))),
    ...(databaseUrl === undefined
      ? await examineEmbedded(config)
      : await examineDatabase(config, databaseUrl)),
    ...(await findings(`port ${config.port}`, () => servePort(config))),
  ];
}

/** False if the configuration names both a database and a secret key. */
function needsHome({ databaseUrl, secretKeys }: Config): boolean {
  return databaseUrl === undefined || secretKeys === undefined;
}

function credentials({ home, apiKey }: Config): Finding[] {
  const key = apiKey ?? readCredentials(home)?.key;
  const source = apiKey === undefined ? credentialsFile(home) : 'PARLEY_API_KEY';
  if (key === undefined) return [ok('there are no credentials; serve creates them on an empty database')];
  if (isWellFormedKey(key)) return [ok(`there is a key in ${source}`)];
  return [problem(`the key in ${source} is incomplete`, 'copy it again, or create another one')];
}

async function examineEmbedded(config: Config): Promise<Finding[]> {
  const found = await findings('embedded Postgres', binaries);
  const about = async (subject: string, check: Check) => void found.push(...(await findings(subject, check)));
  let look: EmbeddedLook | undefined;
  await about('embedded Postgres', () => {
    if (existsSync(config.home)) look = lookAtEmbedded(config.home);
    return look ? embeddedData(look) : [ok('there is no database yet; the first start creates it')];
  });
  const seen = look;
  const isMade = seen?.dataMajor !== undefined;
  if (!isMade) await about('user', () => passwdEntry(knownServerUid(undefined)));
  await about('disk', () => diskSpace(seen?.files.data ?? config.home, isMade));
  if (!seen) return found;
  await about('embedded Postgres', () => leftBehind(seen));
  await about('embedded Postgres', async () => {
    const running = await usersOf(seen).catch(() => undefined);
    const server = serverAndUsers(seen, running?.users);
    return running ? [...server, ...(await examineDatabase(config, running.url))] : server;
  });
  return found;
}

async function examineDatabase(config: Config, url: string): Promise<Finding[]> {
  const session = new pg.Client({ ...sessionConfig(url, 'read'), application_name: 'parley doctor' });
  session.on('error', () => {});
  try {
    await session.connect();
  } catch (error) {
    const rejection = asPoolerError(error);
    if (rejection instanceof PoolerError) return findings('database', () => Promise.reject(rejection));
    return [
      problem(
        `the database cannot be used (${codeOf(error) || 'no response'})`,
        'check that it runs, and that host, port, user, password and name in DATABASE_URL are correct',
      ),
    ];
  }
  try {
    return [
      ...(await findings('database', () => postgresItself(session, config.connections))),
      ...(await findings('database', () => limitsOf(session))),
      ...(await findings('schema', () => schema(session))),
      ...(config.models?.embedding ? await findings('pgvector', () => vectors(session)) : []),
      ...(await findings('credentials', () => keyWorks(session, config.apiKey ?? storedKey(config.home)))),
      ...(await findings('web agents', () => originsMatch(session))),
      ...(await findings('agent profiles', () => languagesFit(session))),
      ...(await findings('flows', () => greetingsDisclose(session))),
      ...(await findings('conversations', () => designsHold(session))),
      ...(await findings('secrets', () => secretsBound(session))),
      ...(await findings('calls', () => callsAreAnswered(session))),
      ...(await findings('secret key', () => secretKeyFits(session, secretKeysOf(config)))),
    ];
  } finally {
    await session.end();
  }
}

/** The demo's key. Undefined also if its file is damaged, which another check reports. */
function storedKey(home: string): string | undefined {
  try {
    return readCredentials(home)?.key;
  } catch {
    return undefined;
  }
}

/** The secret keys in use. Empty before the first start. */
function secretKeysOf({ secretKeys, home }: Config): readonly string[] {
  return secretKeys ?? storedSecretKeys(home);
}
