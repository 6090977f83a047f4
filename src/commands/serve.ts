import { setFlagsFromString } from 'node:v8';
import { toolsets } from '../../tools/index.ts';
import { CommandError, parseArguments } from '../command-line/command.ts';
import {
  type Credentials,
  credentialsFile,
  readCredentials,
  writeCredentials,
} from '../command-line/home/credentials.ts';
import { demoIfEmpty, open } from '../command-line/open-core.ts';
import { untilStopped } from '../command-line/stop-signal.ts';
import { type Config, localUrl, readConfig } from '../config/config.ts';
import type { Core } from '../core/core.ts';
import { codeOf } from '../errors.ts';
import { type DrainableServer, httpServer } from '../http/server.ts';
import type { Workers } from '../jobs/indexing-workers.ts';
import { flushLog, type Log, openLog } from '../log.ts';
import { mcpEndpoint } from '../mcp/http.ts';
import { restApp } from '../rest/app.ts';
import { purgeExpired } from '../store/purge.ts';

export const usage = '[--no-demo]';
export const summary = 'Serves REST under /v1 and MCP at /mcp until SIGTERM or SIGINT';
export const details =
  'On an empty database, makes the demo first, unless --no-demo is given or NODE_ENV is production.';

/** Milliseconds. */
const purgeInterval = 3_600_000;

/**
 * Garbage collection for bodies that pass through in bulk, such as recordings. V8 counts the bytes of buffers with its
 * heap and lets both grow to three times the size in use. By default, it walks the whole heap after every 64 MiB of
 * buffers or a fifth of growth, which costs as much as passing the bytes on. Node 22 does not know the first flag.
 */
const rareCollections = '--external-memory-accounted-in-global-limit --heap-growing-percent=200';

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, { 'no-demo': { type: 'boolean' } });
  const config = readConfig();
  if (Number.parseInt(process.versions.node, 10) >= 24) setFlagsFromString(rareCollections);
  // Before the database opens, because a signal must not end the process halfway through the start.
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

/** Loaded after the server listens, so that the start does not wait for it. */
async function startWorkers(
  core: Core,
  { workers: atOnce, fetchAllow }: Config,
  log: Log,
): Promise<Workers | undefined> {
  try {
    const { startIndexing } = await import('../command-line/start-indexing.ts');
    return await startIndexing(core, { atOnce, fetchAllow }, log);
  } catch (err) {
    log.error({ err }, 'indexing did not start');
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
      const inUse = `Port ${port} of ${host} is in use. Set PORT, or stop the other process.`;
      reject(codeOf(error) === 'EADDRINUSE' ? new CommandError(inUse) : error);
    });
  });
  return server;
}

/** Deletes expired records now and every hour. Returns a function that stops this after the current purge. */
function purgeHourly(core: Core, log: Log): () => Promise<void> {
  let purging = Promise.resolve();
  const purge = () => {
    purging = purgeExpired(core.knex).catch((err: unknown) =>
      log.error({ err }, 'purging expired records failed'),
    );
  };
  purge();
  const timer = setInterval(purge, purgeInterval).unref();
  return () => {
    clearInterval(timer);
    return purging;
  };
}

/** Updates the URL in the stored credentials, because an earlier start may have used another port. */
function refreshUrl(config: Config): void {
  const stored = readCredentials(config.home);
  const url = localUrl(config);
  if (stored && stored.url !== url) writeCredentials(config.home, { ...stored, url });
}

/** Reports the address: on stdout for a person, as a log line in production. */
function announce(core: Core, config: Config, log: Log, made: Credentials | undefined): void {
  const url = localUrl(config);
  const { version } = core.runtime.build;
  if (config.production) {
    log.info({ url, version }, 'listening');
    if (!config.liveKit) log.info('LIVEKIT_URL is not set: requests for web sessions return 502');
    return;
  }
  const lines = [`Parley ${version} listens on ${url} (REST under /v1, MCP at /mcp).`];
  if (core.embedded)
    lines.push(
      `Database: an embedded Postgres (${core.embedded}), a beta build for trials and small installations on one machine. Set DATABASE_URL to use your own.`,
    );
  const credentials = made ?? readCredentials(config.home);
  if (credentials)
    lines.push(
      `${made ? 'Made a demo project' : 'Demo project'} ${credentials.projectId}; its key is in ${credentialsFile(config.home)}.`,
      `Try: curl -H "Authorization: Bearer $(node -p 'require("${credentialsFile(config.home)}").key')" ${url}/v1/projects/${credentials.projectId}/flows`,
    );
  process.stdout.write(`${lines.join('\n')}\n`);
}
