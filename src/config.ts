import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { type ModelsConfig, ModelsFileError, oneProvider, readModelsFile } from './config/models.ts';

/** Everything that the environment says, typed. Nothing else reads it. */
export interface Config {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** Undefined: the embedded Postgres under `home`. */
  readonly databaseUrl: string | undefined;
  /** Absolute. Generated secrets, credentials and the embedded database live here. */
  readonly home: string;
  readonly apiKey: string | undefined;
  /** Where clients reach this server, besides loopback. */
  readonly publicUrl: string | undefined;
  readonly gitSha: string | undefined;
  /** Encrypt what is stored secretly: the current one, then the one before it. Undefined: a generated one. */
  readonly secretKeys: readonly [current: string, ...older: string[]] | undefined;
  /** Connections to Postgres in all. */
  readonly connections: number;
  /** Sources that a process indexes at once; 0: it indexes none. */
  readonly workers: number;
  /** The model that confirms AI disclosures; undefined: the rule alone decides. */
  readonly disclosureModel:
    | { readonly apiKey: string; readonly baseUrl: string; readonly model: string }
    | undefined;
  /** Where web sessions are held; undefined in production where it is not named: there are none. */
  readonly liveKit: { readonly url: string; readonly apiKey: string; readonly apiSecret: string } | undefined;
  /** The upstreams of the model proxy; undefined: none. */
  readonly models: ModelsConfig | undefined;
  /** What `parley mcp` shows, as `--toolsets`, `--tools`, `--exclude`, `--access` would say it. */
  readonly selection: ReadonlyMap<string, string>;
  /** `host:port` that the fetch wall lets through wherever it is: for trials, refused in production. */
  readonly fetchAllow: readonly string[];
  /** Encrypts a backup. */
  readonly backupPassphrase: string | undefined;
}

/** The environment is wrong; the message is one line for the person who set it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** From the package's own root, never from the working directory: a client may start us anywhere. */
export const packageRoot = path.resolve(fileURLToPath(import.meta.url), '../..');

const Text = v.pipe(v.string(), v.nonEmpty());
const Port = v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number), v.maxValue(65_535));
/** Long enough that nobody guesses it; 32 random bytes are best. */
const Secret = v.pipe(v.string(), v.minLength(16));
/** Characters. */
export const shortestPassphrase = 12;
const Url = v.pipe(v.string(), v.url());
/** Without a user and a query: requests go to paths below it. */
const HttpUrl = v.pipe(Url, v.regex(/^https?:\/\/[^@?#]+$/));
/** Clients of LiveKit take both kinds of scheme. */
const LiveKitUrl = v.pipe(Url, v.regex(/^(?:ws|http)s?:\/\/[^@?#]+$/));
/** `localhost:4000,[::1]:4000`, each as a URL writes it. */
const HostsAndPorts = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((entry) => entry.trim())),
  v.check((entries) => entries.every(isHostAndPort)),
  v.transform((entries) => entries.map(hostAndPort)),
);
/** What a header can carry; a line break that came with it from a file cannot. */
const HeaderText = v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/));

const openAi = 'https://api.openai.com/v1';

/** Behind `auto` where the environment names no other. The last is the one that times what it hears. */
const usualModels = {
  chat: 'gpt-5-mini',
  speech: 'gpt-4o-mini-tts',
  transcription: 'whisper-1',
};

/** `livekit-server --dev` listens there, with this key and secret. */
const liveKitDevelopment = { url: 'ws://localhost:7880', apiKey: 'devkey', apiSecret: 'secret' };

/** A variable: the form of its value, what it does, and what applies if it is not set. */
const variable = <Schema extends v.GenericSchema<string, unknown>>(
  form: Schema,
  description: string,
  ifUnset?: string,
) => v.pipe(form, v.description(description), v.metadata({ ifUnset }));

/** Every variable that Parley reads. docs/configuration.md is generated from it. */
export const Environment = v.object({
  PORT: v.optional(variable(Port, 'The port on which `serve` listens.'), '8080'),
  HOST: v.optional(variable(Text, 'The address on which `serve` listens.'), '127.0.0.1'),
  DATABASE_URL: v.optional(
    variable(
      v.pipe(v.string(), v.regex(/^postgres(?:ql)?:\/\//)),
      'Your Postgres, as `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. Required in production.',
      'an embedded Postgres',
    ),
  ),
  NODE_ENV: v.optional(
    variable(
      Text,
      '`production` requires `DATABASE_URL` and `PARLEY_SECRET_KEY`, and creates no demo project.',
      'development',
    ),
  ),
  PARLEY_SECRET_KEY: v.optional(
    variable(
      Secret,
      'Encrypts stored secrets. At least 16 characters. Required in production.',
      'one that Parley generates under `PARLEY_HOME`',
    ),
  ),
  PARLEY_SECRET_KEY_PREVIOUS: v.optional(
    variable(Secret, 'The former `PARLEY_SECRET_KEY`, which still decrypts while you rotate the key.'),
  ),
  PARLEY_HOME: v.optional(
    variable(
      Text,
      'The folder of generated secrets, credentials and the embedded database. A relative path starts at the folder of Parley.',
      '`.parley`',
    ),
  ),
  PARLEY_PUBLIC_URL: v.optional(
    variable(
      Url,
      'The address at which clients reach this server, if it is not loopback. `/mcp` refuses other hosts.',
    ),
  ),
  PARLEY_API_KEY: v.optional(
    variable(Text, 'The key that `mcp`, `call` and `whoami` use.', 'the key of the demo project'),
  ),
  PARLEY_DATABASE_CONNECTIONS: v.optional(
    variable(
      v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number), v.minValue(4), v.maxValue(1000)),
      'How many connections to Postgres `serve` opens at most, from 4 to 1000.',
    ),
    '20',
  ),
  PARLEY_WORKERS: v.optional(
    variable(
      v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number), v.maxValue(16)),
      'How many knowledge sources a process indexes at once, from 0 to 16. With 0, other processes index them.',
    ),
    '2',
  ),
  PARLEY_BACKUP_PASSPHRASE: v.optional(
    variable(
      v.pipe(v.string(), v.minLength(shortestPassphrase)),
      `Encrypts and decrypts backups. At least ${shortestPassphrase} characters.`,
    ),
  ),
  PARLEY_GIT_SHA: v.optional(
    variable(
      Text,
      'The commit that `GET /healthz` and `parley --version` report.',
      'the commit of the build',
    ),
  ),
  OPENAI_API_KEY: v.optional(
    variable(HeaderText, 'The key for `OPENAI_BASE_URL`. A server of your own may need none.'),
  ),
  OPENAI_BASE_URL: v.optional(
    variable(
      HttpUrl,
      'The server of the models. Without it and without a key, calls of models return 502.',
      `\`${openAi}\``,
    ),
  ),
  PARLEY_CHAT_MODEL: v.optional(variable(Text, 'The chat model behind `auto`.', `\`${usualModels.chat}\``)),
  PARLEY_SPEECH_MODEL: v.optional(
    variable(Text, 'The speech model behind `auto`.', `\`${usualModels.speech}\``),
  ),
  PARLEY_TRANSCRIPTION_MODEL: v.optional(
    variable(Text, 'The transcription model behind `auto`.', `\`${usualModels.transcription}\``),
  ),
  PARLEY_EMBEDDING_MODEL: v.optional(
    variable(
      Text,
      'The model that embeds passages for the knowledge search, such as `text-embedding-3-small`.',
      'search by words alone',
    ),
  ),
  PARLEY_MODELS: v.optional(
    variable(
      Text,
      'A file that describes several providers and their models. It replaces the four variables above.',
    ),
  ),
  PARLEY_DISCLOSURE_MODEL: v.optional(
    variable(
      Text,
      'A model at `OPENAI_BASE_URL` that confirms what the disclosure rule accepts.',
      'the rule alone decides',
    ),
  ),
  LIVEKIT_URL: v.optional(
    variable(
      LiveKitUrl,
      'The LiveKit server of web sessions. Set all three variables of LiveKit, or none.',
      `\`${liveKitDevelopment.url}\`; in production, creating a web session returns 502`,
    ),
  ),
  LIVEKIT_API_KEY: v.optional(
    variable(HeaderText, 'The key for LiveKit.', `\`${liveKitDevelopment.apiKey}\``),
  ),
  LIVEKIT_API_SECRET: v.optional(
    variable(HeaderText, 'The secret of that key.', `\`${liveKitDevelopment.apiSecret}\``),
  ),
  PARLEY_TOOLSETS: v.optional(
    variable(Text, 'The toolsets that `parley mcp` shows, as `--toolsets`.', 'all'),
  ),
  PARLEY_TOOLS: v.optional(variable(Text, 'The tools that `parley mcp` shows, as `--tools`.', 'all')),
  PARLEY_EXCLUDE: v.optional(variable(Text, 'The tools that `parley mcp` hides, as `--exclude`.', 'none')),
  PARLEY_ACCESS: v.optional(
    variable(
      Text,
      'The kinds of access that the tools of `parley mcp` may need, as `--access`.',
      'those of the key',
    ),
  ),
  PARLEY_FETCH_ALLOW: v.optional(
    variable(
      HostsAndPorts,
      'For trials: hosts, as `HOST:PORT` separated by commas, that knowledge sources may read although they are private. Refused in production.',
      'none',
    ),
  ),
});

/** A mistyped PARLEY_ACCESS that was ignored would leave open what it was to close; tests have one of theirs. */
const known: ReadonlySet<string> = new Set([...Object.keys(Environment.entries), 'PARLEY_TEST_HOME']);

/**
 * Reads the environment. An empty variable counts as unset.
 * @throws ConfigError naming each variable that is wrong or that Parley does not know; a value, which may be a secret, is not quoted.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const mistyped = Object.keys(set).filter((name) => name.startsWith('PARLEY_') && !known.has(name));
  if (mistyped.length > 0)
    throw new ConfigError(
      `there is no variable ${mistyped.join(', ')}; there are ${[...known].filter((name) => name.startsWith('PARLEY_')).join(', ')}`,
    );
  const parsed = v.safeParse(Environment, set);
  if (!parsed.success) {
    const names = new Set(parsed.issues.map((issue) => v.getDotPath(issue)));
    throw new ConfigError(`not a valid value: ${[...names].join(', ')}`);
  }
  const { output } = parsed;
  const production = output.NODE_ENV === 'production';
  if (production)
    for (const name of ['DATABASE_URL', 'PARLEY_SECRET_KEY'] as const)
      if (!output[name]) throw new ConfigError(`${name} is required in production (NODE_ENV=production)`);
  if (production && output.PARLEY_FETCH_ALLOW)
    throw new ConfigError(
      'PARLEY_FETCH_ALLOW opens the fetch wall for trials: unset it in production (NODE_ENV=production)',
    );
  const selection = new Map<string, string>();
  for (const name of ['toolsets', 'tools', 'exclude', 'access'] as const) {
    const text = output[`PARLEY_${name.toUpperCase() as Uppercase<typeof name>}`];
    if (text !== undefined) selection.set(name, text);
  }
  return Object.freeze({
    production,
    port: output.PORT,
    host: output.HOST,
    databaseUrl: output.DATABASE_URL,
    home: path.resolve(packageRoot, output.PARLEY_HOME ?? '.parley'),
    apiKey: output.PARLEY_API_KEY,
    publicUrl: output.PARLEY_PUBLIC_URL,
    gitSha: output.PARLEY_GIT_SHA,
    secretKeys: secretKeys(output.PARLEY_SECRET_KEY, output.PARLEY_SECRET_KEY_PREVIOUS),
    connections: output.PARLEY_DATABASE_CONNECTIONS,
    workers: output.PARLEY_WORKERS,
    disclosureModel: disclosureModel(output),
    liveKit: liveKit(output, production),
    models: models(output, set),
    selection,
    fetchAllow: output.PARLEY_FETCH_ALLOW ?? [],
    backupPassphrase: output.PARLEY_BACKUP_PASSPHRASE,
  });
}

function isHostAndPort(entry: string): boolean {
  return /^[^\s/\\@?#*]+:0*[1-9]\d*$/.test(entry) && URL.canParse(`http://${entry}`);
}

/** In lower case; a URL leaves the port out where it is http's own. */
function hostAndPort(entry: string): string {
  const { hostname, port } = new URL(`http://${entry}`);
  return `${hostname}:${port || '80'}`;
}

function disclosureModel(output: v.InferOutput<typeof Environment>): Config['disclosureModel'] {
  const {
    PARLEY_DISCLOSURE_MODEL: model,
    OPENAI_API_KEY: apiKey,
    OPENAI_BASE_URL: baseUrl = openAi,
  } = output;
  if (model === undefined) return undefined;
  if (apiKey === undefined) throw new ConfigError('PARLEY_DISCLOSURE_MODEL needs OPENAI_API_KEY');
  return { apiKey, baseUrl, model };
}

function liveKit(output: v.InferOutput<typeof Environment>, production: boolean): Config['liveKit'] {
  const { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = output;
  if (url !== undefined && apiKey !== undefined && apiSecret !== undefined) return { url, apiKey, apiSecret };
  if (url !== undefined || apiKey !== undefined || apiSecret !== undefined)
    throw new ConfigError(
      'LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET are set together or not at all',
    );
  return production ? undefined : liveKitDevelopment;
}

function models(
  output: v.InferOutput<typeof Environment>,
  environment: Readonly<Record<string, string | undefined>>,
): ModelsConfig | undefined {
  const { PARLEY_MODELS: file, OPENAI_API_KEY: key, OPENAI_BASE_URL: baseUrl } = output;
  const behindAuto = {
    chat: output.PARLEY_CHAT_MODEL,
    speech: output.PARLEY_SPEECH_MODEL,
    transcription: output.PARLEY_TRANSCRIPTION_MODEL,
  };
  const { PARLEY_EMBEDDING_MODEL: embedding } = output;
  if (file === undefined) {
    // A server of one's own may ask for no key.
    if (key === undefined && baseUrl === undefined) {
      if (embedding === undefined) return undefined;
      throw new ConfigError('PARLEY_EMBEDDING_MODEL needs OPENAI_API_KEY or OPENAI_BASE_URL');
    }
    const named = Object.entries(behindAuto).filter(([, model]) => model !== undefined);
    const provider = { name: 'OPENAI_BASE_URL', baseUrl: baseUrl ?? openAi, key };
    return {
      ...oneProvider(provider, { ...usualModels, ...Object.fromEntries(named) }),
      ...(embedding !== undefined && { embedding: { provider, model: embedding, dimensions: undefined } }),
    };
  }
  for (const [service, model] of Object.entries(behindAuto))
    if (model !== undefined)
      throw new ConfigError(
        `PARLEY_${service.toUpperCase()}_MODEL has no effect beside PARLEY_MODELS, which says what is behind auto: unset one`,
      );
  if (embedding !== undefined)
    throw new ConfigError(
      'PARLEY_EMBEDDING_MODEL has no effect beside PARLEY_MODELS, which has a member embedding: unset one',
    );
  try {
    return readModelsFile(path.resolve(packageRoot, file), environment);
  } catch (error) {
    throw error instanceof ModelsFileError ? new ConfigError(`PARLEY_MODELS: ${error.message}`) : error;
  }
}

function secretKeys(current?: string, previous?: string): Config['secretKeys'] {
  if (current === undefined) return undefined;
  return previous === undefined ? [current] : [current, previous];
}
