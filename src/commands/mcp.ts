import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, packageRoot, readConfig } from '../config.ts';
import type { Core } from '../core.ts';
import { ToolError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Calls } from '../mcp/server.ts';
import { serveMcpOverStdio } from '../mcp/stdio.ts';
import { accesses } from '../tool/access.ts';
import type { Caller } from '../tool/context.ts';
import { parseSelection, type Selection } from '../tool/selection.ts';
import { CommandError, parseArguments, UsageError } from './command.ts';
import { listing } from './listing.ts';
import { readVersion } from './package-version.ts';
import { untilStopped } from './stop-signal.ts';

export const usage = '[--toolsets A,B] [--tools A,B] [--exclude A,B] [--access read,draft]';

const options = {
  toolsets: { type: 'string' },
  tools: { type: 'string' },
  exclude: { type: 'string' },
  access: { type: 'string' },
} as const;

/** The demo's key, as far as listing tools goes: its scope allows everything. */
const everything: Caller = {
  keyId: '',
  projectId: '',
  keyType: 'secret',
  scope: 'platform',
  access: new Set(accesses),
};

/**
 * `parley mcp`: one client on stdin and stdout. The database is opened by the first call that needs it, and what
 * opens it is loaded no earlier: a client waits for the list of tools before it shows anything.
 */
export async function run(args: readonly string[]): Promise<void> {
  const config = readConfig();
  const selection = selectionOf(config, args);
  const stopped = untilStopped();
  const log = once(async () => (await import('../log.ts')).openLog({ buffered: false }));
  const session = once(async () => openSession(config, await log()));
  const calls = once(() => loadCalls(log));
  const server = serveMcpOverStdio(
    {
      listing,
      version: readVersion(packageRoot),
      calls,
    },
    {
      selection,
      listedFor: async () => (config.apiKey === undefined ? everything : (await session()).caller),
      caller: async () => (await session()).caller,
      runtime: async () => (await session()).core.runtime,
    },
    (err) => void warn(log, err),
  );
  const clientGone = new Promise<void>((resolve) => void process.stdin.once('end', resolve));
  await Promise.race([stopped, clientGone]);
  await server.close();
  const opened = await session.made()?.catch(() => undefined);
  await opened?.stopIndexing();
  await opened?.core.close();
}

/** Makes something when it is first asked for. What failed (a database that is down) is tried again. */
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

async function warn(log: () => Promise<Log>, err: Error): Promise<void> {
  (await log()).warn({ err }, 'MCP message refused');
}

async function loadCalls(log: () => Promise<Log>): Promise<Calls> {
  const { callsOf } = await import('../mcp/resources.ts');
  const { toolsets } = await import('../../tools/index.ts');
  return callsOf(toolsets, await log());
}

interface Session {
  readonly core: Core;
  readonly caller: Caller;
  readonly stopIndexing: () => Promise<void>;
}

async function openSession(config: Config, log: Log): Promise<Session> {
  const { identify, open } = await import('./open.ts');
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

/** Milliseconds: the first call is answered before anything else is loaded. */
const indexingDelay = 2_000;

/**
 * Indexes sources where this process may be the only one: beside an embedded Postgres. Beside another one the key to
 * its files and its site's neighbourhood are the server's.
 */
function indexLater(core: Core, { databaseUrl, workers, fetchAllow }: Config, log: Log): () => Promise<void> {
  if (databaseUrl !== undefined || workers === 0) return async () => undefined;
  const ended = new AbortController();
  const started = sleep(indexingDelay, undefined, { signal: ended.signal, ref: false })
    .then(() => import('./indexing.ts'))
    .then(({ startIndexing }) => startIndexing(core, { atOnce: 1, fetchAllow }, log))
    .catch((err: unknown) => {
      if (!ended.signal.aborted) log.warn({ err }, 'nothing is indexed here');
      return undefined;
    });
  return async () => {
    ended.abort();
    await (await started)?.stop();
  };
}

/** Flags win over the environment, part by part. */
function selectionOf(config: Config, args: readonly string[]): Selection {
  const { values } = parseArguments(args, options);
  const given = new Map(config.selection);
  for (const [name, value] of Object.entries(values)) if (typeof value === 'string') given.set(name, value);
  try {
    return parseSelection(listing, given);
  } catch (error) {
    if (error instanceof ToolError) throw new UsageError(error.message.replace('querystring /', '--'));
    throw error;
  }
}
