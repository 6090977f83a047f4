import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IPv4, IPv6 } from 'ipaddr.js';
import * as v from 'valibot';
import { closest } from '../closest.ts';
import { type IdentityProviderConfig, IdentityProviderError, readTokenRules } from './identity-provider.ts';
import { type ModelsConfig, ModelsFileError, oneProvider, readModelsFile } from './models.ts';
import {
  Environment,
  liveKitDevelopment,
  openAi,
  shareOfAddress,
  spendingNames,
  usualModels,
  type VariableName,
  variables,
} from './variables.ts';

/** The configuration of a process: all that Parley reads from its environment. */
export interface Config {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** The port of probes and metrics. Undefined: there is none. */
  readonly opsPort: number | undefined;
  /** True if traces are exported. The packages of OpenTelemetry read their variables themselves. */
  readonly traces: boolean;
  /** Undefined: the embedded Postgres under `home`. */
  readonly databaseUrl: string | undefined;
  /** An absolute path. Holds generated secrets, credentials and the embedded database. */
  readonly home: string;
  readonly apiKey: string | undefined;
  /** The URL for clients, in addition to loopback. */
  readonly publicUrl: string | undefined;
  /** Makes the tokens of MCP clients. Undefined: people sign in with keys. */
  readonly identityProvider: IdentityProviderConfig | undefined;
  readonly gitSha: string | undefined;
  /** The first encrypts stored secrets; the others still decrypt. Undefined: a generated key in `home`. */
  readonly secretKeys: readonly [current: string, ...older: string[]] | undefined;
  /** The most connections to Postgres. */
  readonly connections: number;
  /** The number of sources that a process indexes at once; 0 if it indexes none. */
  readonly workers: number;
  /** The phases of a stop, in seconds: the server still accepts requests, and then finishes open ones. */
  readonly graceSeconds: number;
  readonly drainSeconds: number;
  /** How much keys and projects may do. */
  readonly rateLimits: {
    readonly secretKey: RateLimit;
    readonly publishableKey: RateLimit;
    readonly project: RateLimit;
    readonly session: RateLimit;
    readonly webAgent: RateLimit;
    readonly address: RateLimit;
    readonly failedDrawings: RateLimit;
  };
  /** What sessions may spend of models. */
  readonly spending: {
    readonly session: Spending;
    readonly address: Spending;
    readonly webAgent: Spending;
    readonly project: Spending;
    readonly seconds: number;
  };
  /** How many sessions of one web agent, and from one client address, can be open at once. */
  readonly openSessions: { readonly ofWebAgent: number; readonly ofAddress: number };
  /** The proxies that may name the addresses of clients. */
  readonly trustedProxies: readonly (readonly [address: IPv4 | IPv6, prefix: number])[];
  /** The model that confirms AI disclosures. Undefined: the rule alone decides. */
  readonly disclosureModel:
    | { readonly apiKey: string; readonly baseUrl: string; readonly model: string }
    | undefined;
  /** The server of web sessions. Undefined: there are no web sessions, which happens only in production. */
  readonly liveKit:
    | {
        readonly url: string;
        readonly apiKey: string;
        readonly apiSecret: string;
        /** True if the operator has not named a server. */
        readonly isAssumed?: boolean;
      }
    | undefined;
  /** The upstreams of the model proxy. Undefined: there are none. */
  readonly models: ModelsConfig | undefined;
  /** The server to which `parley mcp` connects its client. Undefined: it works on the database. */
  readonly serverUrl: string | undefined;
  /** The tools that `parley mcp` lists, in the form of `--toolsets`, `--tools`, `--exclude` and `--access`. */
  readonly selection: ReadonlyMap<string, string>;
  /** The API of Twilio. */
  readonly twilioUrl: string;
  /** The API of HubSpot. */
  readonly hubSpotUrl: string;
  /** Each `host:port` that the crawler and the requests of designs may reach on any network. Empty in production. */
  readonly fetchAllow: readonly string[];
  /** Encrypts backups. */
  readonly backupPassphrase: string | undefined;
}

/** At most `requests` in each window of `seconds`; undefined: no limit. */
type Spending = Readonly<Partial<Record<(typeof spendingNames)[number], number | undefined>>>;
type RateLimit = { readonly requests: number; readonly seconds: number } | undefined;

/** The environment is wrong. The message is one line for the person who set it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The folder of package.json. Never the working directory, because a client may start Parley anywhere. */
export const packageRoot = nearestPackage(path.dirname(fileURLToPath(import.meta.url)));

/** Walks up, because the sources and the bundle lie at different depths. */
function nearestPackage(folder: string): string {
  const parent = path.dirname(folder);
  return parent === folder || existsSync(path.join(folder, 'package.json')) ? folder : nearestPackage(parent);
}

/** With the variable of the tests. */
const known: ReadonlySet<string> = new Set([...Object.keys(variables), 'PARLEY_TEST_HOME']);

/**
 * Reads the environment of a process that works on the database. An empty variable counts as unset.
 * @throws ConfigError if a value is wrong, production lacks a variable, or Parley does not know a `PARLEY_` variable. The
 * message names the variables and quotes no value, which may be a secret.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const config = readClientConfig(environment);
  requireProductionVariables(config);
  return config;
}

/**
 * Reads the environment of a process that may leave the database to a server elsewhere.
 * @throws ConfigError as `readConfig` does, but for a variable that production lacks
 */
export function readClientConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  requireKnownVariables(set);
  const parsed = v.safeParse(Environment, set);
  if (!parsed.success) throw invalidVariables(parsed.issues);
  const { output } = parsed;
  const production = output.NODE_ENV === 'production';
  const selection = new Map<string, string>();
  for (const name of ['toolsets', 'tools', 'exclude', 'access'] as const) {
    const text = output[`PARLEY_${name.toUpperCase() as Uppercase<typeof name>}`];
    if (text !== undefined) selection.set(name, text);
  }
  return Object.freeze({
    production,
    port: output.PORT,
    opsPort: output.PARLEY_OPS_PORT,
    traces: output.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    host: output.HOST,
    databaseUrl: output.DATABASE_URL,
    home: path.resolve(packageRoot, output.PARLEY_HOME),
    apiKey: output.PARLEY_API_KEY,
    serverUrl: output.PARLEY_URL,
    publicUrl: output.PARLEY_PUBLIC_URL,
    identityProvider: identityProvider(output),
    gitSha: output.PARLEY_GIT_SHA,
    secretKeys: secretKeys(output.PARLEY_SECRET_KEY, output.PARLEY_SECRET_KEY_PREVIOUS),
    connections: output.PARLEY_DATABASE_CONNECTIONS,
    workers: output.PARLEY_WORKERS,
    graceSeconds: output.PARLEY_GRACE_SECONDS,
    drainSeconds: output.PARLEY_DRAIN_SECONDS,
    rateLimits: {
      secretKey: output.PARLEY_RATE_LIMIT_SECRET_KEY,
      publishableKey: output.PARLEY_RATE_LIMIT_PUBLISHABLE_KEY,
      project: output.PARLEY_RATE_LIMIT_PROJECT,
      session: output.PARLEY_RATE_LIMIT_SESSION,
      webAgent: output.PARLEY_RATE_LIMIT_WEB_AGENT,
      address: output.PARLEY_RATE_LIMIT_ADDRESS,
      failedDrawings: output.PARLEY_RATE_LIMIT_FAILED_DRAWINGS,
    },
    spending: {
      session: output.PARLEY_SPENDING_SESSION,
      address: { ...spendingOfAddress(output), ...output.PARLEY_SPENDING_ADDRESS },
      webAgent: output.PARLEY_SPENDING_WEB_AGENT,
      project: output.PARLEY_SPENDING_PROJECT,
      seconds: output.PARLEY_SPENDING_SECONDS,
    },
    openSessions: {
      ofWebAgent: output.PARLEY_OPEN_SESSIONS_WEB_AGENT,
      ofAddress: output.PARLEY_OPEN_SESSIONS_ADDRESS,
    },
    trustedProxies: output.PARLEY_TRUSTED_PROXIES ?? [],
    disclosureModel: disclosureModel(output),
    liveKit: liveKit(output, production),
    models: models(output, set),
    selection,
    twilioUrl: output.PARLEY_TWILIO_URL,
    hubSpotUrl: output.PARLEY_HUBSPOT_URL,
    fetchAllow: output.PARLEY_FETCH_ALLOW ?? [],
    backupPassphrase: output.PARLEY_BACKUP_PASSPHRASE,
  });
}

/** True if people reach the server at {@link localUrl}: the operator has named it, or only this machine reaches it. */
export function isAddressKnown({ host, publicUrl }: Config): boolean {
  return publicUrl !== undefined || ['localhost', '127.0.0.1', '::1'].includes(host);
}

/** The URL at which a client on this machine reaches the server. */
export function localUrl({ host, port, publicUrl }: Config): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/$/, '');
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/**
 * If a mistyped PARLEY_ACCESS were ignored, it would leave open what it was meant to close. Any name that begins with
 * `parley` is meant for Parley, and so is one that differs from a known name by a letter.
 */
function requireKnownVariables(set: Readonly<Record<string, string | undefined>>): void {
  const ours = [...known].filter((name) => name.startsWith('PARLEY_'));
  const unknown = Object.keys(set).filter(
    (name) => !known.has(name) && (/^parley/i.test(name) || closest({ word: name, known: ours, most: 1 })),
  );
  if (unknown.length === 0) return;
  const meant = unknown.flatMap((word) => closest({ word, known: ours }) ?? []);
  const advice =
    meant.length === unknown.length
      ? `Did you mean ${meant.join(', ')}?`
      : `Parley reads ${ours.join(', ')}.`;
  throw new ConfigError(`There is no variable ${unknown.join(', ')}. ${advice}`);
}

function invalidVariables(issues: readonly v.InferIssue<typeof Environment>[]): ConfigError {
  const names = new Set(issues.map((issue) => v.getDotPath(issue) as VariableName));
  return new ConfigError(
    [...names]
      .map((name) => `${name} is not valid: it takes ${variables[name].takes.replaceAll('`', '')}.`)
      .join(' '),
  );
}

/** @throws ConfigError if a process that works on the database lacks what it needs in production */
export function requireProductionVariables({
  production,
  databaseUrl,
  secretKeys,
  fetchAllow,
}: Config): void {
  if (!production) return;
  for (const [name, value] of Object.entries({ DATABASE_URL: databaseUrl, PARLEY_SECRET_KEY: secretKeys }))
    if (value === undefined)
      throw new ConfigError(`${name} is required in production (NODE_ENV=production). Set it.`);
  if (fetchAllow.length > 0)
    throw new ConfigError(
      'PARLEY_FETCH_ALLOW lets requests into private networks and is not allowed in production ' +
        '(NODE_ENV=production). Unset it.',
    );
}

/** One address may not use up what all visitors of a web agent or a project share, whatever that is. */
function spendingOfAddress({
  PARLEY_SPENDING_WEB_AGENT: webAgent,
  PARLEY_SPENDING_PROJECT: project,
}: Environment): Spending {
  return Object.fromEntries(
    spendingNames.flatMap((name) => {
      const least = Math.min(
        webAgent[name] ?? Number.POSITIVE_INFINITY,
        project[name] ?? Number.POSITIVE_INFINITY,
      );
      return Number.isFinite(least) ? [[name, Math.ceil(least * shareOfAddress)]] : [];
    }),
  );
}

function disclosureModel(output: Environment): Config['disclosureModel'] {
  const {
    PARLEY_DISCLOSURE_MODEL: model,
    OPENAI_API_KEY: apiKey,
    OPENAI_BASE_URL: baseUrl = openAi,
  } = output;
  if (model === undefined) return undefined;
  if (apiKey === undefined) throw new ConfigError('PARLEY_DISCLOSURE_MODEL needs OPENAI_API_KEY. Set it.');
  return { apiKey, baseUrl, model };
}

function liveKit(output: Environment, production: boolean): Config['liveKit'] {
  const { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = output;
  if (url !== undefined && apiKey !== undefined && apiSecret !== undefined) return { url, apiKey, apiSecret };
  if (url !== undefined || apiKey !== undefined || apiSecret !== undefined)
    throw new ConfigError(
      'LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET go together. Set all three, or none.',
    );
  return production ? undefined : liveKitDevelopment;
}

function identityProvider({
  PARLEY_OIDC_ISSUER: issuer,
  PARLEY_OIDC_AUDIENCE: audience,
  PARLEY_OIDC_KEYS: file,
}: Environment): IdentityProviderConfig | undefined {
  if (issuer === undefined && file === undefined && audience === undefined) return undefined;
  if (issuer === undefined || file === undefined)
    throw new ConfigError('PARLEY_OIDC_ISSUER and PARLEY_OIDC_KEYS need each other. Set both.');
  try {
    return { issuer, audience, rules: readTokenRules(file) };
  } catch (error) {
    if (!(error instanceof IdentityProviderError)) throw error;
    throw new ConfigError(`PARLEY_OIDC_KEYS: ${error.message}.`);
  }
}

function models(
  output: Environment,
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
    // An operator's own server may need no key.
    if (key === undefined && baseUrl === undefined) {
      if (embedding === undefined) return undefined;
      throw new ConfigError(
        'PARLEY_EMBEDDING_MODEL needs OPENAI_API_KEY or OPENAI_BASE_URL. Set one of them.',
      );
    }
    const named = Object.entries(behindAuto).filter(([, model]) => model !== undefined);
    const provider = { name: 'OPENAI_BASE_URL', baseUrl: baseUrl ?? openAi, key };
    return {
      ...oneProvider(provider, { ...usualModels, ...Object.fromEntries(named) }),
      ...(embedding !== undefined && { embedding: { provider, model: embedding, dimensions: undefined } }),
    };
  }
  const ignored = Object.entries({ ...behindAuto, embedding }).find(([, model]) => model !== undefined);
  if (ignored)
    throw new ConfigError(
      `PARLEY_${ignored[0].toUpperCase()}_MODEL has no effect if PARLEY_MODELS is set. Unset it, and name the model in that file.`,
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
