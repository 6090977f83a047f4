import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface Settings {
  /** The name of this process towards Parley. */
  readonly worker: string;
  readonly parley: { readonly url: string; readonly key: string };
  readonly liveKit: { readonly url: string; readonly apiKey: string; readonly apiSecret: string };
  /** The name under which LiveKit dispatches jobs to the worker. */
  readonly agentName: string;
  /** Calls at once. */
  readonly capacity: number;
  /** Milliseconds for which calls in progress may go on after SIGTERM. */
  readonly drainLimit: number;
}

/** An error that one line explains to whoever starts the worker. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What Parley's server writes into PARLEY_HOME for workers on its machine. */
interface WorkerFile {
  readonly url: string;
  readonly key: string;
}

const packageRoot = path.resolve(import.meta.dirname, '..');

/**
 * Reads the settings of the process.
 * @throws StartError
 */
export function readSettings(): Settings {
  // biome-ignore lint/style/noProcessEnv: the only place of the worker that reads it
  const environment: Environment = process.env;
  const file = path.resolve(packageRoot, environment['PARLEY_HOME'] ?? '.parley', 'voice-worker.json');
  const written = readWorkerFile(file);
  const key = environment['PARLEY_VOICE_KEY'] ?? written?.key;
  if (key === undefined)
    throw new StartError(
      `No voice key: ${file} does not exist. Start Parley on this machine first, or set PARLEY_VOICE_KEY and PARLEY_URL.`,
    );
  return {
    worker: `w-${randomBytes(8).toString('hex')}`,
    parley: {
      url: addressIn(environment, 'PARLEY_URL', written?.url ?? 'http://127.0.0.1:8080', ['http:', 'https:']),
      key,
    },
    liveKit: {
      url: addressIn(environment, 'LIVEKIT_URL', 'ws://127.0.0.1:7880', [
        'ws:',
        'wss:',
        'http:',
        'https:',
      ]).replace(/^http/, 'ws'),
      apiKey: environment['LIVEKIT_API_KEY'] ?? 'devkey',
      apiSecret: environment['LIVEKIT_API_SECRET'] ?? 'secret',
    },
    agentName: 'parley',
    capacity: countIn(environment, 'PARLEY_VOICE_CALLS', 10),
    drainLimit: countIn(environment, 'PARLEY_VOICE_DRAIN', 600) * 1000,
  };
}

/** Returns what Parley's server has written; undefined if it has never run with this folder. */
function readWorkerFile(file: string): WorkerFile | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as WorkerFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function addressIn(environment: Environment, name: string, usual: string, protocols: readonly string[]) {
  const text = environment[name] ?? usual;
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text.replace(/\/+$/, '');
  throw new StartError(
    `${name} is ${JSON.stringify(text)}. Expected an address that begins with ${protocols[0]}// or ${protocols[1]}//.`,
  );
}

function countIn(environment: Environment, name: string, usual: number): number {
  const text = environment[name] ?? String(usual);
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new StartError(`${name} is ${JSON.stringify(text)}. Expected a whole number.`);
}
