import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Core } from '../../core/core.ts';
import { parseSelection, type Selection } from '../../environment/selection.ts';
import { accesses } from '../../operation/access.ts';
import type { Caller } from '../../operation/context.ts';
import { type Config, readClientConfig, requireProductionVariables } from '../../platform/config/config.ts';
import { ToolError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { productPrompts } from '../../transports/mcp/product-prompts.ts';
import type { Calls } from '../../transports/mcp/server.ts';
import { serveMcpOverStdio } from '../../transports/mcp/stdio.ts';
import { CommandError, parseArguments, UsageError } from '../command.ts';
import { exitWithin } from '../exit-within.ts';
import { readVersion } from '../package-version.ts';
import { untilStopped } from '../stop-signal.ts';
import { listing } from '../tool-listing.ts';

export const usage = '[--url URL] [--toolsets A,B] [--tools A,B] [--exclude A,B] [--access read,draft]';
export const summary = 'Serves MCP to one client on stdin and stdout';
export const details = `Without options, lists every tool that the key may call. --toolsets and --tools choose tools, --exclude removes
some, and --access (${accesses.join(', ')}) allows less than the key does. --url, or PARLEY_URL, connects the client to the Parley
server at that address instead of a database, with the key in PARLEY_API_KEY.`;

const options = {
  url: { type: 'string' },
  toolsets: { type: 'string' },
  tools: { type: 'string' },
  exclude: { type: 'string' },
  access: { type: 'string' },
} as const;

/** Milliseconds. Clients kill a server that has not ended two seconds after they left, and wait for it until then. */
const closingLimit = 500;

/** Stands for the demo's key while tools are listed. Its scope allows everything. */
const unlimitedCaller: Caller = {
  keyId: '',
  projectId: '',
  keyType: 'secret',
  scope: 'platform',
  access: new Set(accesses),
};

export async function run(args: readonly string[]): Promise<void> {
  const config = readClientConfig();
  const { url = config.serverUrl, ...flags } = parseArguments(args, options).values;
  // Each flag replaces its own variable of the environment.
  const selection = new Map(config.selection);
  for (const [name, value] of Object.entries(flags))
    if (typeof value === 'string') selection.set(name, value);
  if (url === undefined) requireProductionVariables(config);
  const stopped = untilStopped();
  const log = once(async () => (await import('../../platform/log.ts')).openLog({ buffered: false }));
  const served =
    typeof url === 'string'
      ? await serveElsewhere(endpointOf(url, selection), config, log)
      : serveHere(selectionOf(selection), config, log);
  await Promise.race([stopped, clientGone()]);
  exitWithin(closingLimit);
  await served.close();
  await new Promise((resolve) => void process.stdout.write('', resolve));
  // A connection that was being opened would keep the process alive.
  process.exit();
}

/** What serves the client. */
interface Served {
  close(): Promise<void>;
}

/**
 * Serves from the database. The first call that needs it opens it, and the modules for it load only then, because a client
 * shows nothing until it has the list of tools. The list needs no more of the database than the access of the key.
 */
function serveHere(selection: Selection, config: Config, log: () => Promise<Log>): Served {
  const ending = new AbortController();
  const { signal } = ending;
  const listingCaller = once(() => loadListingCaller(config));
  const session = once(async () => openSession(config, await log(), signal));
  const calls = once(() => loadCalls(log, signal));
  const server = serveMcpOverStdio(
    {
      listing,
      prompts: productPrompts,
      version: readVersion(),
      calls,
      readApp: async () => readApp(await log()),
    },
    {
      selection,
      async listedFor() {
        if (config.apiKey === undefined) return unlimitedCaller;
        try {
          return (await listingCaller()) ?? (await session()).caller;
        } catch (err) {
          (await log()).error({ err }, 'the tools cannot be listed');
          throw err;
        }
      },
      caller: async () => (await session()).caller,
      runtime: async () => (await session()).core.runtime,
    },
    (err) => void logRejection(log, err),
  );
  return {
    async close() {
      ending.abort();
      await server.close();
      await (await calls.made()?.catch(() => undefined))?.tasks.end();
      const opened = await session.made()?.catch(() => undefined);
      await opened?.stopIndexing();
      await opened?.core.close();
    },
  };
}

/** Connects the client to a server. @throws CommandError if there is no key */
async function serveElsewhere(url: URL, { apiKey }: Config, log: () => Promise<Log>): Promise<Served> {
  if (apiKey === undefined)
    throw new CommandError(
      'A server needs a key. Set PARLEY_API_KEY to a key of the server in PARLEY_URL or --url.',
    );
  const { bridgeStdio } = await import('../../transports/mcp/bridge.ts');
  return bridgeStdio({ url, key: apiKey, onerror: (err) => void logFailedExchange(log, err) });
}

/**
 * The MCP endpoint of a server, with the selection that its clients write into the query.
 * @throws UsageError for anything but a URL of HTTP without a user
 */
function endpointOf(address: string, selection: ReadonlyMap<string, string>): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UsageError('--url takes the address of a Parley server, such as https://parley.example.');
  url.hash = '';
  if (!url.pathname.endsWith('/mcp')) url.pathname = `${url.pathname.replace(/\/$/, '')}/mcp`;
  for (const [name, value] of selection) url.searchParams.set(name, value);
  return url;
}

/** Resolves when the client closes its end of stdin or stdout, or dies. */
function clientGone(): Promise<void> {
  return new Promise((resolve) => {
    const gone = () => resolve();
    process.stdin.once('end', gone).once('close', gone).on('error', gone);
    process.stdout.on('error', gone);
  });
}

/** Makes a value at the first call. If that fails, as with a database that is down, the next call tries again. */
function once<Made>(make: () => Promise<Made>) {
  let made: Promise<Made> | undefined;
  const get = () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  return Object.assign(get, { made: () => made });
}

async function logRejection(log: () => Promise<Log>, err: Error): Promise<void> {
  (await log()).warn({ err }, 'MCP message rejected');
}

async function logFailedExchange(log: () => Promise<Log>, err: Error): Promise<void> {
  (await log()).warn({ err }, 'an exchange with the server failed');
}

/** @throws AbortError if `ending` is aborted: each load blocks the process, which must end soon then */
async function loadCalls(log: () => Promise<Log>, ending: AbortSignal): Promise<Calls> {
  const { callsOf } = await import('../../transports/mcp/resources.ts');
  await nextTurn(undefined, { signal: ending });
  const { toolsets } = await import('../../../tools/index.ts');
  return callsOf(toolsets, await log());
}

/** Loaded only if a host shows the page. */
async function readApp(log: Log): Promise<string> {
  const { designAppReader } = await import('../../transports/web/design-app.ts');
  return designAppReader(log)();
}

async function loadListingCaller(config: Config): Promise<Caller | undefined> {
  const { findListingCaller } = await import('../listing-caller.ts');
  return findListingCaller(config);
}

interface Session {
  readonly core: Core;
  readonly caller: Caller;
  readonly stopIndexing: () => Promise<void>;
}

/** @throws AbortError if `ending` is aborted, as `loadCalls` does */
async function openSession(config: Config, log: Log, ending: AbortSignal): Promise<Session> {
  await nextTurn(undefined, { signal: ending });
  const { identify, open } = await import('../open-core.ts');
  const core = await open(config, log);
  try {
    const { caller } = await identify(core, config);
    return { core, caller, stopIndexing: indexLater(core, config, log) };
  } catch (error) {
    await core.close();
    if (error instanceof CommandError) throw new ToolError('unauthorized', error.message, { cause: error });
    throw error;
  }
}

/** Milliseconds, so that the first call returns before the indexing modules load. */
const indexingDelay = 2_000;

/**
 * Indexes sources if Postgres is embedded, because this process may then be the only one. With any other database, the
 * server indexes: it has the secret key of the files and a place in the network from which sites may be fetched.
 */
function indexLater(
  core: Core,
  { databaseUrl, workers, fetchAllow, production }: Config,
  log: Log,
): () => Promise<void> {
  if (databaseUrl !== undefined || workers === 0) return async () => undefined;
  const ended = new AbortController();
  const started = sleep(indexingDelay, undefined, { signal: ended.signal, ref: false })
    .then(() => import('../start-indexing.ts'))
    .then(({ startIndexing }) => startIndexing(core, { atOnce: 1, fetchAllow, trial: !production }, log))
    .catch((err: unknown) => {
      if (!ended.signal.aborted) log.warn({ err }, 'indexing did not start');
      return undefined;
    });
  return async () => {
    ended.abort();
    await (await started)?.stop();
  };
}

function selectionOf(given: ReadonlyMap<string, string>): Selection {
  try {
    return parseSelection(listing, given);
  } catch (error) {
    if (error instanceof ToolError) throw new UsageError(error.message.replace('querystring /', '--'));
    throw error;
  }
}
