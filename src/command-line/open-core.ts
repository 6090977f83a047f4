import { type Core, openCore } from '../core/core.ts';
import type { Caller } from '../operation/context.ts';
import { type Config, isAddressKnown, localUrl, readConfig } from '../platform/config/config.ts';
import { codeOf, isDatabaseUnable, ToolError } from '../platform/errors.ts';
import { type Log, openLog } from '../platform/log.ts';
import { modelDisclosure } from '../services/models/disclosure.ts';
import type { UpstreamMetrics } from '../services/models/upstream.ts';
import { readBuild } from './build-info.ts';
import { CommandError } from './command.ts';
import { makeDemo } from './demo/make-demo.ts';
import { asCommandError } from './expected-errors.ts';
import { type Credentials, credentialsFile, readCredentials } from './home/credentials.ts';
import { homeSecretKeys } from './home/secret-keys.ts';

/** Enough for a command that does one thing or serves one client. */
const fewConnections = 3;

/** The SQLSTATE classes with which a database rejects a user, a password or its name. */
const rejectedLogin = /^(?:28|3D)/;

/**
 * Opens Parley for a command.
 * @throws CommandError if the database cannot be reached or started, if a newer build has migrated it, or if
 * PARLEY_HOME cannot be used
 */
export async function open(
  config: Config,
  log: Log,
  connections = fewConnections,
  upstreamMetrics?: UpstreamMetrics,
  address = () => localUrl(config),
): Promise<Core> {
  const { databaseUrl, home, disclosureModel, liveKit, models, rateLimits, spending, openSessions } = config;
  const { fetchAllow, production, twilioUrl, hubSpotUrl } = config;
  try {
    return await openCore({
      databaseUrl,
      home,
      connections,
      build: readBuild(config.gitSha),
      secrets: config.secretKeys ?? homeSecretKeys(home),
      confirmDisclosure: disclosureModel && modelDisclosure(disclosureModel),
      rateLimits,
      spending,
      openSessions,
      liveKit,
      models,
      upstreamMetrics,
      address,
      isAddressKnown: isAddressKnown(config),
      outbound: { allow: fetchAllow, trial: !production, twilioUrl, hubSpotUrl },
      log,
      warn: (line) => log.warn(line),
    });
  } catch (error) {
    const code = codeOf(error);
    if (databaseUrl === undefined || !(isDatabaseUnable(error) || rejectedLogin.test(code)))
      throw asCommandError(error);
    throw new CommandError(unusableDatabase(code));
  }
}

/** For the database of DATABASE_URL; `code` is Node's or Postgres's, or empty. */
export function unusableDatabase(code: string): string {
  const reason = code === '' ? 'it does not respond' : code;
  return `The database in DATABASE_URL cannot be used (${reason}). Start it, or correct DATABASE_URL.`;
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

/** Makes the demo if the database is empty, but never in production. */
export async function demoIfEmpty(core: Core, config: Config): Promise<Credentials | undefined> {
  return config.production
    ? undefined
    : makeDemo(core.knex, config.home, localUrl(config), core.runtime.services);
}

/**
 * The key in use, which is PARLEY_API_KEY or else the demo's, and its caller.
 * @throws CommandError if there is no key, or the database does not know it
 */
export async function identify(core: Core, config: Config): Promise<{ key: string; caller: Caller }> {
  const made = await demoIfEmpty(core, config);
  const key = config.apiKey ?? made?.key ?? readCredentials(config.home)?.key;
  if (key === undefined)
    throw new CommandError('There is no key. Set PARLEY_API_KEY; parley key create --project ID makes one.');
  try {
    return { key, caller: await core.authenticate(key) };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'unauthorized') throw error;
    const source = config.apiKey === undefined ? credentialsFile(config.home) : 'PARLEY_API_KEY';
    throw new CommandError(
      `The key in ${source} is not in this database. Set PARLEY_API_KEY to one that is, or correct DATABASE_URL.`,
    );
  }
}
