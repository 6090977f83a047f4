import { toolsets } from '../../../tools/index.ts';
import type { Core } from '../../core/core.ts';
import type { Workers } from '../../jobs/indexing-workers.ts';
import { type Config, localUrl, readConfig } from '../../platform/config/config.ts';
import { hasModel } from '../../platform/config/models.ts';
import { flushLog, type Log, openLog } from '../../platform/log.ts';
import { Sessions } from '../../resources/sessions/playing/sessions.ts';
import { purgeExpired } from '../../resources/trash/purge.ts';
import { GuessingThrottle } from '../../transports/auth/guessing.ts';
import { boundHeap } from '../../transports/http/heap-growth.ts';
import { Readiness } from '../../transports/http/readiness.ts';
import { type Drain, type DrainableServer, httpServer } from '../../transports/http/server.ts';
import { type McpEndpoint, mcpEndpoint } from '../../transports/mcp/http.ts';
import { openOAuth } from '../../transports/oauth/server.ts';
import { OAuthStore } from '../../transports/oauth/store.ts';
import { restApp } from '../../transports/rest/app.ts';
import { demoKeyFor, isOwnBrowser } from '../../transports/web/demo-key.ts';
import { designAppReader } from '../../transports/web/design-app.ts';
import { openPages } from '../../transports/web/pages.ts';
import { parseArguments } from '../command.ts';
import { exitWithin } from '../exit-within.ts';
import { type Credentials, credentialsFile, readCredentials, writeCredentials } from '../home/credentials.ts';
import { writeVoiceWorkerFile } from '../home/voice-worker.ts';
import { listenOn } from '../listen.ts';
import { demoIfEmpty, open } from '../open-core.ts';
import { type Ops, openOps } from '../open-ops.ts';
import { untilStopped } from '../stop-signal.ts';
import { traceIfWanted } from '../trace.ts';

export const usage = '[--no-demo]';
export const summary = 'Serves REST under /v1 and MCP at /mcp until SIGTERM or SIGINT';
export const details = `Listens on the port PORT (8080) of the address HOST (127.0.0.1).
On an empty database, makes the demo first, unless --no-demo is given or NODE_ENV is production.`;

/** Milliseconds. */
const purgeInterval = 3_600_000;
/** Milliseconds between two looks for silent sessions. */
const idleInterval = 30_000;
/** Milliseconds between two looks for calls whose voice worker is silent. */
const voiceInterval = 1_000;
/** Milliseconds in which the embedded Postgres finishes a start, its first one on a slow disk: it would be left behind otherwise. */
const openingLimit = 20_000;
/** Milliseconds in which everything but the HTTP server stops. */
const closingLimit = 5_000;

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, { 'no-demo': { type: 'boolean' } });
  const config = readConfig();
  boundHeap();
  // Before the database opens, because a signal must not end the process halfway through the start.
  const stopped = untilStopped();
  const readiness = new Readiness();
  const log = openLog({ buffered: true });
  let isOpen = false;
  const phases = stopped.then((signal) => {
    readiness.startDraining();
    // Nothing is under way, and the next start does what this one has not done: migrations are transactions.
    if (!isOpen && config.databaseUrl !== undefined) process.exit();
    const drain = drainAfter(signal, config);
    // A start that is nearly done goes on, and then drains as a server does.
    exitWithin(isOpen ? closingLimit + drain.grace + drain.limit : openingLimit, log);
    return drain;
  });
  const closeTracing = await traceIfWanted(config, log);
  const ops = await openOps(config, readiness, log);
  // PORT may be 0; the system then chooses one.
  let listening = config;
  const address = () => localUrl(listening);
  const core = await open(config, log, config.connections, ops?.upstreams, address);
  isOpen = true;
  try {
    const credentials = values['no-demo'] ? undefined : await demoIfEmpty(core, config);
    const sessions = new Sessions({ runtime: core.runtime, log, metrics: ops?.turns });
    const { server, port, mcp } = await listen(core, config, log, ops, sessions, address);
    listening = { ...config, port };
    refreshUrl(listening);
    ops?.opened(core.state);
    const stopPurging = repeat(
      () => purgeExpired(core.knex),
      purgeInterval,
      log,
      'purging expired records failed',
    );
    const stopEnding = repeat(() => sessions.endIdle(), idleInterval, log, 'ending silent sessions failed');
    writeVoiceWorkerFile(config.home, { url: localUrl(listening), key: core.runtime.voiceKey });
    const stopWatching = repeat(
      () => core.runtime.voiceCalls.watch((call) => sessions.endCall(call)),
      voiceInterval,
      log,
      'watching calls failed',
    );
    announce(core, listening, log, credentials);
    const workers = config.workers > 0 ? startWorkers(core, config, log) : undefined;
    const stopping = await phases;
    mcp.endSubscriptions();
    const drained = server.drain(stopping).then(() => exitWithin(closingLimit, log));
    await Promise.all([drained, workers?.then((started) => started?.stop())]);
    await Promise.all([stopPurging(), stopEnding(), stopWatching(), sessions.close(), mcp.endTasks()]);
  } finally {
    reportUsers(await core.close(), config);
    await closeTracing();
    ops?.close();
    await flushLog(log);
  }
  // Lines that nobody reads would keep the process alive.
  process.exit();
}

/** Reports why the embedded Postgres keeps running, so that nobody looks for a reason. */
function reportUsers(processes: readonly number[], { production }: Config): void {
  if (production || processes.length === 0) return;
  process.stdout.write(
    `The embedded Postgres keeps running, because other processes use it (${processes.join(', ')}).\n`,
  );
}

/** Load balancers stop a server with SIGTERM. The other signals come from a terminal, where nobody waits for a grace period. */
function drainAfter(signal: NodeJS.Signals, { graceSeconds, drainSeconds }: Config): Drain {
  return { grace: signal === 'SIGTERM' ? graceSeconds * 1000 : 0, limit: drainSeconds * 1000 };
}

/** Loaded after the server listens, so that the start does not wait for it. */
async function startWorkers(
  core: Core,
  { workers: atOnce, fetchAllow, production }: Config,
  log: Log,
): Promise<Workers | undefined> {
  try {
    const { startIndexing } = await import('../start-indexing.ts');
    return await startIndexing(core, { atOnce, fetchAllow, trial: !production }, log);
  } catch (err) {
    log.error({ err }, 'indexing did not start');
    return undefined;
  }
}

async function listen(
  core: Core,
  config: Config,
  log: Log,
  ops: Ops | undefined,
  sessions: Sessions,
  address: () => string,
): Promise<{ readonly server: DrainableServer; readonly port: number; readonly mcp: McpEndpoint }> {
  const { runtime, authenticate } = core;
  const { publicUrl, identityProvider, host, port, production, home } = config;
  const metrics = ops?.requests;
  const { build } = runtime;
  const demoKey = production ? undefined : demoKeyFor(() => readCredentials(home)?.key);
  const models = {
    speech: hasModel(config.models, 'speech'),
    transcription: hasModel(config.models, 'transcription'),
  };
  const liveKitUrl = config.liveKit?.url;
  const pages = openPages({ version: build.version, log, address, demoKey, models, liveKitUrl });
  const throttle = new GuessingThrottle();
  const oauth = openOAuth({
    runtime,
    authenticate,
    store: new OAuthStore(core.knex),
    log,
    throttle,
    publicUrl,
    address,
    identityProvider,
    demoKey,
    hasDemo: (request) => demoKey !== undefined && isOwnBrowser(request),
  });
  const mcp = mcpEndpoint({
    toolsets,
    build,
    log,
    runtime,
    authenticate: oauth.authenticate,
    oauth,
    publicUrl,
    metrics,
    readApp: designAppReader(log),
  });
  const app = restApp({
    toolsets,
    runtime,
    authenticate,
    log,
    throttle,
    mcp,
    oauth: oauth.middleware,
    pages: pages.middleware,
    metrics,
    sessions,
    trustedProxies: config.trustedProxies,
  });
  const server = httpServer(app.callback(), log);
  return { server, port: await listenOn(server, host, port, 'PORT'), mcp };
}

/** Does some work now and after each interval. Returns a function that stops this after the work in progress. */
function repeat(work: () => Promise<void>, interval: number, log: Log, failure: string): () => Promise<void> {
  let working: Promise<void> | undefined;
  const start = () => {
    working ??= work()
      .catch((err: unknown) => log.error({ err }, failure))
      .finally(() => {
        working = undefined;
      });
  };
  start();
  const timer = setInterval(start, interval).unref();
  return async () => {
    clearInterval(timer);
    await working;
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
    if (!config.liveKit)
      log.info('LIVEKIT_URL is not set: voice sessions need models that transcribe and speak');
    return;
  }
  const lines = [
    `Parley ${version} listens on ${url} (REST under /v1, MCP at /mcp).`,
    `Open ${url} in a browser to see it in the Studio.`,
  ];
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
