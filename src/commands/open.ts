import { type Config, packageRoot, readConfig } from '../config.ts';
import { type Core, openCore } from '../core.ts';
import { codeOf, isDatabaseUnable, ToolError } from '../errors.ts';
import { type Log, openLog } from '../log.ts';
import { modelDisclosure } from '../models/disclosure.ts';
import type { Caller } from '../tool/context.ts';
import { readBuild } from './build.ts';
import { CommandError } from './command.ts';
import { type Credentials, credentialsFile, readCredentials } from './credentials.ts';
import { makeDemo } from './demo-data.ts';
import { homeSecrets } from './home-secrets.ts';
import { troubleOf } from './trouble.ts';

/** Connections of a command that does one thing, or serves one client. */
export const fewConnections = 3;

/** What a database says that is there, and not for this password, role or name. */
const notLetIn = /^(?:28|3D)/;

/**
 * Opens Parley for a command.
 * @throws CommandError where the database cannot be reached or started or is of a newer build, and where PARLEY_HOME
 * cannot be used.
 */
export async function open(config: Config, log: Log, connections = fewConnections): Promise<Core> {
  const { databaseUrl, home, disclosureModel, liveKit, models } = config;
  const say = (line: string) => log.warn(line);
  const confirmDisclosure = disclosureModel && modelDisclosure(disclosureModel);
  try {
    const secrets = config.secretKeys ?? homeSecrets(home);
    const build = buildOf(config);
    return await openCore({
      databaseUrl,
      home,
      connections,
      build,
      secrets,
      confirmDisclosure,
      liveKit,
      models,
      log,
      warn: say,
    });
  } catch (error) {
    const code = codeOf(error);
    if (databaseUrl === undefined || !(isDatabaseUnable(error) || notLetIn.test(code)))
      throw troubleOf(error);
    const reason = code === '' ? 'it does not answer' : code;
    throw new CommandError(`the database that DATABASE_URL names cannot be used (${reason})`);
  }
}

/** Opens Parley, does one thing and closes it. */
export async function withCore<Result>(work: (core: Core, config: Config) => Promise<Result>) {
  const config = readConfig();
  const core = await open(config, openLog({ buffered: false }));
  try {
    return await work(core, config);
  } finally {
    await core.close();
  }
}

/** Which build runs. */
export function buildOf(config: Config) {
  return readBuild(packageRoot, config.gitSha);
}

/** Where a client on this machine reaches the server. */
export function localUrl({ host, port, publicUrl }: Config): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/$/, '');
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Makes the demo on an empty database, but never in production. */
export async function demoIfEmpty(core: Core, config: Config): Promise<Credentials | undefined> {
  return config.production
    ? undefined
    : makeDemo(core.knex, config.home, localUrl(config), core.runtime.services);
}

/**
 * The key in use, PARLEY_API_KEY or else the demo's, and its caller.
 * @throws CommandError where there is no key, or none that this database knows.
 */
export async function identify(core: Core, config: Config): Promise<{ key: string; caller: Caller }> {
  const made = await demoIfEmpty(core, config);
  const key = config.apiKey ?? made?.key ?? readCredentials(config.home)?.key;
  if (key === undefined)
    throw new CommandError('no key: set PARLEY_API_KEY (parley key create --project ID makes one)');
  try {
    return { key, caller: await core.authenticate(key) };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'unauthorized') throw error;
    const source = config.apiKey === undefined ? credentialsFile(config.home) : 'PARLEY_API_KEY';
    throw new CommandError(`the key in ${source} is not one of this database`);
  }
}
