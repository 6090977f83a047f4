import { setFlagsFromString } from 'node:v8';
import { toolsets } from '../../tools/index.ts';
import { type Config, readConfig } from '../config.ts';
import type { Core } from '../core.ts';
import { codeOf } from '../errors.ts';
import { type DrainableServer, httpServer } from '../http/server.ts';
import type { Workers } from '../jobs/indexing-workers.ts';
import { flushLog, type Log, openLog } from '../log.ts';
import { mcpEndpoint } from '../mcp/http.ts';
import { restApp } from '../rest/app.ts';
import { purgeExpired } from '../store/operators.ts';
import { CommandError, parseArguments } from './command.ts';
import { type Credentials, credentialsFile, readCredentials, writeCredentials } from './credentials.ts';
import { demoIfEmpty, localUrl, open } from './open.ts';
import { untilStopped } from './stop-signal.ts';

export const usage = '[--no-demo]';

const purgeInterval = 3_600_000;

/**
 * For what passes through in bulk, such as recordings. V8 is to count the bytes of buffers with its heap, and to let both
 * grow to three times what was in use: by itself it goes through the whole heap each time that 64 MiB of buffers have
 * passed or it has grown by a fifth, which costs as much as passing them on. Older versions do not know the first word.
 */
const collectSeldom = '--external-memory-accounted-in-global-limit --heap-growing-percent=200';

/** `parley serve`: REST and MCP over HTTP until SIGTERM or SIGINT. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, { 'no-demo': { type: 'boolean' } });
  const config = readConfig();
  if (Number.parseInt(process.versions.node, 10) >= 24) setFlagsFromString(collectSeldom);
  // Before anything is opened: a signal in the middle of the start must not end it half-way.
  const stopped = untilStopped();
  const log = openLog({ buffered: true });
  const core = await open(config, log, config.connections);
  try {
    const credentials = values['no-demo'] ? undefined : await demoIfEmpty(core, config);
    refreshUrl(config);
    const server = await listen(core, config, log);
    const stopPurging = purgeHourly(core, log);
    announce(core, config, log, credentials);
    const workers = config.workers > 0 ? startWorkers(core, config, log) : undefined;
    await stopped;
    await Promise.all([server.drain(), workers?.then((started) => started?.stop())]);
    await stopPurging();
  } finally {
    await core.close();
    await flushLog(log);
  }
}

/** Loaded once it listens: whoever waits for the server waits for no worker. */
async function startWorkers(
  core: Core,
  { workers: atOnce, fetchAllow }: Config,
  log: Log,
): Promise<Workers | undefined> {
  try {
    const { startIndexing } = await import('./indexing.ts');
    return await startIndexing(core, { atOnce, fetchAllow }, log);
  } catch (err) {
    log.error({ err }, 'nothing is indexed here');
    return undefined;
  }
}

async function listen(core: Core, config: Config, log: Log): Promise<DrainableServer> {
  const { runtime, authenticate } = core;
  const { publicUrl, host, port } = config;
  const mcp = mcpEndpoint({ toolsets, build: runtime.build, log, runtime, authenticate, publicUrl });
  const app = restApp({ toolsets, runtime, authenticate, log, mcp });
  const server = httpServer(app.callback(), log);
  server.listen(port, host);
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (error) => {
      const taken = codeOf(error) === 'EADDRINUSE';
      reject(taken ? new CommandError(`port ${port} of ${host} is taken: set PORT to another one`) : error);
    });
  });
  return server;
}

/** Purges the trash now and every hour; what it answers ends that, once the purge that is under way is through. */
function purgeHourly(core: Core, log: Log): () => Promise<void> {
  let purging = Promise.resolve();
  const purge = () => {
    purging = purgeExpired(core.knex).catch((err: unknown) => log.error({ err }, 'purging the trash failed'));
  };
  purge();
  const timer = setInterval(purge, purgeInterval).unref();
  return () => {
    clearInterval(timer);
    return purging;
  };
}

/** The credentials of an earlier start may name another port. */
function refreshUrl(config: Config): void {
  const known = readCredentials(config.home);
  const url = localUrl(config);
  if (known && known.url !== url) writeCredentials(config.home, { ...known, url });
}

/** Says on stdout where it runs: in words for a person, as one log line in production. */
function announce(core: Core, config: Config, log: Log, made: Credentials | undefined): void {
  const url = localUrl(config);
  const { version } = core.runtime.build;
  if (config.production) {
    log.info({ url, version }, 'listening');
    if (!config.liveKit) log.info('LIVEKIT_URL is not set: web sessions are answered with 502');
    return;
  }
  const lines = [`Parley ${version} listens on ${url} (REST under /v1, MCP at /mcp).`];
  if (core.embedded)
    lines.push(
      `Database: an embedded Postgres (${core.embedded}), a beta build for trying things out and for small use on one machine. Set DATABASE_URL for your own.`,
    );
  const credentials = made ?? readCredentials(config.home);
  if (credentials)
    lines.push(
      `${made ? 'Made a demo project' : 'Demo project'} ${credentials.projectId}; its key is in ${credentialsFile(config.home)}.`,
      `Try: curl -H "Authorization: Bearer $(node -p 'require("${credentialsFile(config.home)}").key')" ${url}/v1/projects/${credentials.projectId}/flows`,
    );
  process.stdout.write(`${lines.join('\n')}\n`);
}
