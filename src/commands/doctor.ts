import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { isWellFormedKey } from '../auth/key.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { databaseUser, type EmbeddedLook, lookAtEmbedded, usersOf } from '../db/embedded-look.ts';
import { sessionConfig } from '../db/pool.ts';
import { codeOf } from '../errors.ts';
import { parseArguments } from './command.ts';
import { credentialsFile, readCredentials } from './credentials.ts';
import { keyWorks, postgresItself, schema, secretKeyFits, vectors } from './doctor/database.ts';
import { embeddedData, leftBehind, serverAndUsers } from './doctor/embedded.ts';
import { type Check, type Finding, findings, ok, problem } from './doctor/finding.ts';
import { diskSpace, homeFolder, secretModes } from './doctor/home.ts';
import { binaries, clock, nodeVersion, passwdEntry } from './doctor/machine.ts';
import { servePort } from './doctor/port.ts';
import { buildOf } from './open.ts';

export const usage = '[--json]';

/** `parley doctor`: what is wrong here and how to mend it; exit status 1 where something is. It changes nothing. */
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
      problem(`the environment: ${error.message}`, 'set it right or unset it; the rest was not looked at'),
    ];
  }
  const { version, gitSha } = buildOf(config);
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

/** The database and the secret key may both lie elsewhere. */
function needsHome({ databaseUrl, secretKeys }: Config): boolean {
  return databaseUrl === undefined || secretKeys === undefined;
}

function credentials({ home, apiKey }: Config): Finding[] {
  const key = apiKey ?? readCredentials(home)?.key;
  const source = apiKey === undefined ? credentialsFile(home) : 'PARLEY_API_KEY';
  if (key === undefined) return [ok('there are no credentials; serve makes them on an empty database')];
  if (isWellFormedKey(key)) return [ok(`there is a key in ${source}`)];
  return [problem(`the key in ${source} is not a whole key`, 'copy it again, or make another one')];
}

async function examineEmbedded(config: Config): Promise<Finding[]> {
  const found = await findings('embedded Postgres', binaries);
  const about = async (subject: string, check: Check) => void found.push(...(await findings(subject, check)));
  let look: EmbeddedLook | undefined;
  await about('embedded Postgres', () => {
    if (existsSync(config.home)) look = lookAtEmbedded(config.home);
    return look ? embeddedData(look) : [ok('there is no database yet; the first start makes it')];
  });
  const seen = look;
  const isMade = seen?.dataMajor !== undefined;
  if (!isMade) await about('user', () => passwdEntry(databaseUser()));
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
    return [
      problem(
        `the database cannot be used (${codeOf(error) || 'no answer'})`,
        'see whether it runs, and whether host, port, user, password and name in DATABASE_URL are right',
      ),
    ];
  }
  try {
    return [
      ...(await findings('database', () => postgresItself(session, config.connections))),
      ...(await findings('schema', () => schema(session))),
      ...(config.models?.embedding ? await findings('pgvector', () => vectors(session)) : []),
      ...(await findings('credentials', () => keyWorks(session, config.apiKey ?? knownKey(config.home)))),
      ...(await findings('secret key', () => secretKeyFits(session, secretsOf(config)))),
    ];
  } finally {
    await session.end();
  }
}

/** The demo's key; undefined also where its file is damaged, which is told elsewhere. */
function knownKey(home: string): string | undefined {
  try {
    return readCredentials(home)?.key;
  } catch {
    return undefined;
  }
}

/** The configured secret keys or the generated one; none before the first start. */
function secretsOf({ secretKeys, home }: Config): readonly [string, ...string[]] | undefined {
  const file = path.join(home, 'secret-key');
  if (secretKeys) return secretKeys;
  return existsSync(file) ? [readFileSync(file, 'utf8')] : undefined;
}
