import { toolsets } from '../../tools/index.ts';
import { type Config, readConfig } from '../config.ts';
import type { Core } from '../core.ts';
import { ToolError } from '../errors.ts';
import { type Log, openLog } from '../log.ts';
import { serveMcpOverStdio } from '../mcp/stdio.ts';
import { accesses } from '../tool/access.ts';
import type { Caller } from '../tool/context.ts';
import { parseSelection, type Selection } from '../tool/selection.ts';
import { CommandError, parseArguments, UsageError } from './command.ts';
import { buildOf, identify, open } from './open.ts';
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

/** `parley mcp`: one client on stdin and stdout. The database is opened by the first call that needs it. */
export async function run(args: readonly string[]): Promise<void> {
  const config = readConfig();
  const selection = selectionOf(config, args);
  const stopped = untilStopped();
  const log = openLog({ buffered: false });
  let opening: Promise<{ core: Core; caller: Caller }> | undefined;
  const session = () => {
    // A start that failed (a database that is down) is tried again by the next call.
    opening ??= openSession(config, log).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const server = serveMcpOverStdio(
    { toolsets, build: buildOf(config), log },
    {
      selection,
      listedFor: async () => (config.apiKey === undefined ? everything : (await session()).caller),
      caller: async () => (await session()).caller,
      runtime: async () => (await session()).core.runtime,
    },
  );
  const clientGone = new Promise<void>((resolve) => void process.stdin.once('end', resolve));
  await Promise.race([stopped, clientGone]);
  await server.close();
  const opened = await opening?.catch(() => undefined);
  await opened?.core.close();
}

async function openSession(config: Config, log: Log) {
  const core = await open(config, log);
  try {
    return { core, caller: (await identify(core, config)).caller };
  } catch (error) {
    await core.close();
    if (error instanceof CommandError) throw new ToolError('unauthorized', error.message, { cause: error });
    throw error;
  }
}

/** Flags win over the environment, part by part. */
function selectionOf(config: Config, args: readonly string[]): Selection {
  const { values } = parseArguments(args, options);
  const given = new Map(config.selection);
  for (const [name, value] of Object.entries(values)) if (typeof value === 'string') given.set(name, value);
  try {
    return parseSelection(toolsets, given);
  } catch (error) {
    if (error instanceof ToolError) throw new UsageError(error.message.replace('querystring /', '--'));
    throw error;
  }
}
