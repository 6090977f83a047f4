import ipaddr from 'ipaddr.js';
import * as v from 'valibot';

type VariableSchema = v.OptionalSchema<v.GenericSchema<string, unknown>, string | undefined>;

/**
 * An environment variable.
 * @param takes the accepted values, in words that fit "takes …"
 * @param ifUnset what applies if the variable is not set and the schema has no default
 */
const variable = <Schema extends VariableSchema>(
  schema: Schema,
  takes: string,
  meaning: string,
  ifUnset?: string,
) => ({ schema, takes, meaning, ifUnset });

/** Characters. */
export const shortestPassphrase = 12;

const Text = v.pipe(v.string(), v.nonEmpty());
const Port = v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number), v.maxValue(65_535));
const Count = v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number));
/** A project has up to 1,000 (`decisions#chat-sessions`). */
const OpenSessions = v.pipe(Count, v.minValue(1), v.maxValue(1000));
const Secret = v.pipe(v.string(), v.minLength(16));
const Url = v.pipe(v.string(), v.url());
/** Without a user or a query, because requests go to paths below it. */
const HttpUrl = v.pipe(Url, v.regex(/^https?:\/\/[^@?#]+$/));
/** Without a user. A query may select tools. */
const ServerUrl = v.pipe(Url, v.regex(/^https?:\/\/[^@#]+$/));
/** LiveKit's clients accept both kinds of scheme. */
const LiveKitUrl = v.pipe(Url, v.regex(/^(?:ws|http)s?:\/\/[^@?#]+$/));
/** `localhost:4000,[::1]:4000`, each as a URL writes it. */
const HostsAndPorts = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((entry) => entry.trim())),
  v.check((entries) => entries.every(isHostAndPort)),
  v.transform((entries) => entries.map(hostAndPort)),
);
/** `10.0.0.0/8,192.0.2.7`. An address alone is a network of one. */
const Networks = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((entry) => entry.trim())),
  v.check((entries) => entries.every((entry) => ipaddr.isValidCIDR(entry) || ipaddr.isValid(entry))),
  v.transform((entries) => entries.map(network)),
);
/** `600/60`, or `off` for no limit. A window is a day at most, and a counter has 32 bits. */
const RateLimit = v.pipe(
  v.string(),
  v.regex(/^(?:off|[1-9]\d{0,6}\/[1-9]\d{0,4})$/),
  v.transform((text) => {
    const [requests = 0, seconds = 0] = text.split('/').map(Number);
    return text === 'off' ? undefined : { requests, seconds };
  }),
  v.check((limit) => limit === undefined || limit.seconds <= 86_400),
);
/** The most that can be spent of anything in a window, because a counter has 32 bits. */
const mostSpent = 1_000_000_000;
export const spendingNames = ['turns', 'calls', 'tokens', 'speech'] as const;
type SpendingNumbers = Partial<Record<(typeof spendingNames)[number], number | undefined>>;
const spendingPart = `(?:${spendingNames.join('|')})=(?:off|[1-9]\\d{0,9})`;

/** `turns=300,calls=off`, which leaves the others as they are. */
const spendingLimit = (usual: SpendingNumbers) =>
  v.pipe(
    v.string(),
    v.regex(new RegExp(`^${spendingPart}(?:,${spendingPart})*$`)),
    v.transform((text): SpendingNumbers => {
      const limit = { ...usual };
      for (const part of text.split(',')) {
        const [name, value] = part.split('=') as [keyof SpendingNumbers, string];
        limit[name] = value === 'off' ? undefined : Number(value);
      }
      return limit;
    }),
    v.check((limit) => spendingNames.every((name) => (limit[name] ?? 0) <= mostSpent)),
  );

/** A chat of 200 turns spends about two calls and 6,000 tokens a turn. */
const sessionSpending = { turns: 300, calls: 1_000, tokens: 2_500_000, speech: 3_600 };
const webAgentSpending = { turns: 10_000, calls: 20_000, tokens: 50_000_000, speech: 72_000 };
const projectSpending = { turns: 30_000, calls: 60_000, tokens: 150_000_000, speech: 216_000 };
/** The part of a limit of web agents and projects that one client address may spend. */
export const shareOfAddress = 1 / 10;
const inWords = (limit: Readonly<Record<string, number>>) =>
  Object.entries(limit)
    .map(([name, most]) => `${name}=${most}`)
    .join(',');

/** The characters that a header can carry; excludes the line break that a value read from a file may end with. */
const HeaderText = v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/));

const twilioApi = 'https://api.twilio.com';
const hubSpotApi = 'https://api.hubapi.com';
export const openAi = 'https://api.openai.com/v1';

/** The models behind `auto` if the environment names no others. The transcription model returns word timings. */
export const usualModels = {
  chat: 'gpt-5-mini',
  speech: 'gpt-4o-mini-tts',
  transcription: 'whisper-1',
};

/** The address, key and secret of `livekit-server --dev`. */
export const liveKitDevelopment = {
  url: 'ws://localhost:7880',
  apiKey: 'devkey',
  apiSecret: 'secret',
  isAssumed: true,
};

const path = 'a path';
const headerText = 'ASCII characters without spaces';
const openSessions = 'an integer from 1 to 1000';
const rateLimit = '`REQUESTS/SECONDS`, such as `600/60`, or `off`';
const spending = 'some of `turns=N,calls=N,tokens=N,speech=N`; N is `off`, or 1 to 1000000000';
const modelName = 'the name of a model';
const names = (what: string) => `names of ${what}, separated by commas`;

/** Every variable that Parley reads. docs/configuration.md is generated from it, in this order. */
export const variables = {
  PORT: variable(
    v.optional(Port, '8080'),
    'a port from 0 to 65535',
    'The port on which `serve` listens. With 0, the system chooses a free one, and `serve` prints it.',
  ),
  HOST: variable(
    v.optional(Text, '127.0.0.1'),
    'a host name or IP address',
    'The address on which `serve` listens. `0.0.0.0` is every address.',
  ),
  PARLEY_OPS_PORT: variable(
    v.optional(Port),
    'a port from 0 to 65535',
    'The port of `/livez`, `/readyz` and `/metrics`, for `serve` and `worker`. They need no key: keep clients away from it.',
    'no such port',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    v.optional(HttpUrl),
    'an http or https URL without a user, query or fragment',
    'The OTLP receiver to which `serve` and `worker` send traces, as JSON over HTTP. The other variables of OpenTelemetry apply too.',
    'no traces',
  ),
  DATABASE_URL: variable(
    v.optional(v.pipe(v.string(), v.regex(/^postgres(?:ql)?:\/\//))),
    'a URL, `postgres://USER:PASSWORD@HOST:PORT/DATABASE`',
    'Your Postgres. Required in production.',
    'an embedded Postgres in `PARLEY_HOME`',
  ),
  NODE_ENV: variable(
    v.optional(v.picklist(['production', 'development', 'test'])),
    '`production`, `development` or `test`',
    '`production` requires `DATABASE_URL` and `PARLEY_SECRET_KEY` (except for `parley mcp --url`), and creates no demo project.',
    'development',
  ),
  PARLEY_SECRET_KEY: variable(
    v.optional(Secret),
    'at least 16 characters; 32 random bytes are best',
    'Encrypts stored secrets. Required in production.',
    'one that Parley generates in `PARLEY_HOME`',
  ),
  PARLEY_SECRET_KEY_PREVIOUS: variable(
    v.optional(Secret),
    'at least 16 characters',
    'The former `PARLEY_SECRET_KEY`, which still decrypts while you rotate the key.',
  ),
  PARLEY_HOME: variable(
    v.optional(Text, '.parley'),
    path,
    'The folder of generated secrets, credentials and the embedded database. A relative path starts at the folder of Parley.',
  ),
  PARLEY_PUBLIC_URL: variable(
    v.optional(HttpUrl),
    'an http or https URL without a user, query or fragment',
    'The address at which clients reach this server, if it is not loopback. `/mcp` rejects other hosts, OAuth clients sign in there, and results on MCP link to its Studio.',
  ),
  PARLEY_OIDC_ISSUER: variable(
    v.optional(HttpUrl),
    'an http or https URL without a user, query or fragment',
    'Your identity provider (OpenID Connect), whose tokens `/mcp` accepts in place of those of the sign-in page. Needs `PARLEY_OIDC_KEYS`.',
    'people sign in to OAuth clients with keys',
  ),
  PARLEY_OIDC_AUDIENCE: variable(
    v.optional(Text),
    'a text',
    'The audience that its tokens must have.',
    'the URL of `/mcp`',
  ),
  PARLEY_OIDC_KEYS: variable(
    v.optional(Text),
    path,
    'A JSON file that says as which key the tokens with a claim call.',
  ),
  PARLEY_API_KEY: variable(
    v.optional(Text),
    'a key',
    'The key that `mcp`, `call` and `whoami` use.',
    'the key of the demo project',
  ),
  PARLEY_URL: variable(
    v.optional(ServerUrl),
    'a URL of HTTP without a user',
    'The Parley server to which `mcp` connects its client, with `PARLEY_API_KEY`, instead of working on a database, and of which a voice worker is a client.',
  ),
  PARLEY_DATABASE_CONNECTIONS: variable(
    v.optional(v.pipe(Count, v.minValue(4), v.maxValue(1000)), '20'),
    'an integer from 4 to 1000',
    'How many connections to Postgres `serve` opens at most.',
  ),
  PARLEY_WORKERS: variable(
    v.optional(v.pipe(Count, v.maxValue(16)), '2'),
    'an integer from 0 to 16',
    'How many knowledge sources a process indexes at once. With 0, other processes index them.',
  ),
  // The shortest one with which no request failed behind load balancers that look every 5 s (docs/measurements/grace-periods.md).
  PARLEY_GRACE_SECONDS: variable(
    v.optional(v.pipe(Count, v.maxValue(600)), '5'),
    'an integer from 0 to 600',
    'How long `serve` still accepts requests after SIGTERM, while load balancers notice that it is not ready.',
  ),
  PARLEY_DRAIN_SECONDS: variable(
    v.optional(v.pipe(Count, v.minValue(1), v.maxValue(3600)), '30'),
    'an integer from 1 to 3600',
    'How long `serve` then finishes open requests and streams before it cuts them. Also limits the stop of `worker`.',
  ),
  PARLEY_RATE_LIMIT_SECRET_KEY: variable(
    v.optional(RateLimit, 'off'),
    rateLimit,
    'How many requests one secret key may send, on all replicas together. More return 429.',
  ),
  PARLEY_RATE_LIMIT_PUBLISHABLE_KEY: variable(
    v.optional(RateLimit, '3000/60'),
    rateLimit,
    'The same for one publishable key, which all visitors of your website share. Each request starts a web session. Never refuses the first ten of an address.',
  ),
  PARLEY_RATE_LIMIT_PROJECT: variable(
    v.optional(RateLimit, 'off'),
    rateLimit,
    'The same for all keys of a project together.',
  ),
  PARLEY_RATE_LIMIT_SESSION: variable(
    v.optional(RateLimit, '60/60'),
    rateLimit,
    'The same for the visitor of one session that this server plays. Each message is a request.',
  ),
  PARLEY_RATE_LIMIT_WEB_AGENT: variable(
    v.optional(RateLimit, '3000/60'),
    rateLimit,
    'How many sessions of one web agent visitors may start. Never refuses the first ten of an address.',
  ),
  PARLEY_RATE_LIMIT_ADDRESS: variable(
    v.optional(RateLimit, '120/60'),
    rateLimit,
    'How many sessions visitors of a project may start from one client address. Addresses that proxies may share do not count: see `PARLEY_TRUSTED_PROXIES`.',
  ),
  PARLEY_OPEN_SESSIONS_WEB_AGENT: variable(
    v.optional(OpenSessions, '750'),
    openSessions,
    'How many sessions of one web agent can be open at once. Sessions in which nobody has spoken give way.',
  ),
  PARLEY_OPEN_SESSIONS_ADDRESS: variable(
    v.optional(OpenSessions, '500'),
    openSessions,
    'The same for the sessions of a project that were started from one client address.',
  ),
  PARLEY_TRUSTED_PROXIES: variable(
    v.optional(Networks),
    'IP addresses and networks, such as `127.0.0.1,10.0.0.0/8`, separated by commas',
    'The proxies in front of Parley, whose `X-Forwarded-For` or `Forwarded` names the address of a client. Others cannot set it.',
    'none: the address of a client is that of its connection',
  ),
  PARLEY_RATE_LIMIT_FAILED_DRAWINGS: variable(
    v.optional(RateLimit, '10/60'),
    rateLimit,
    'How many drawings of a project may fail until further ones return 429.',
  ),
  PARLEY_SPENDING_SESSION: variable(
    v.optional(spendingLimit(sessionSpending), inWords(sessionSpending)),
    spending,
    'What one session may spend: turns of the visitor, calls of models, their tokens, and seconds of speech. Then it ends or is handed over. What you leave out stays as it is.',
  ),
  PARLEY_SPENDING_ADDRESS: variable(
    v.optional(spendingLimit({})),
    spending,
    'The same for all sessions of one client address in a window. Then they end or are handed over. The networks around it may spend twice and four times as much. Addresses that proxies may share do not count: see `PARLEY_TRUSTED_PROXIES`.',
    'a tenth of the lower one of the next two limits',
  ),
  PARLEY_SPENDING_WEB_AGENT: variable(
    v.optional(spendingLimit(webAgentSpending), inWords(webAgentSpending)),
    spending,
    'The same for all sessions of a web agent in a window. Then its sessions go on without models, and long ones end.',
  ),
  PARLEY_SPENDING_PROJECT: variable(
    v.optional(spendingLimit(projectSpending), inWords(projectSpending)),
    spending,
    'The same for all sessions of a project.',
  ),
  PARLEY_SPENDING_SECONDS: variable(
    v.optional(v.pipe(Count, v.minValue(1), v.maxValue(86_400)), '3600'),
    'an integer from 1 to 86400',
    'The length of a window of these three limits.',
  ),
  PARLEY_BACKUP_PASSPHRASE: variable(
    v.optional(v.pipe(v.string(), v.minLength(shortestPassphrase))),
    `at least ${shortestPassphrase} characters`,
    'Encrypts and decrypts backups.',
  ),
  PARLEY_GIT_SHA: variable(
    v.optional(Text),
    'a commit',
    'The commit that `GET /healthz` and `parley version` report.',
    'the commit of the build',
  ),
  OPENAI_API_KEY: variable(
    v.optional(HeaderText),
    headerText,
    'The key for `OPENAI_BASE_URL`. A server of your own may need none.',
  ),
  OPENAI_BASE_URL: variable(
    v.optional(HttpUrl),
    'an http or https URL without a user, query or fragment',
    'The server of the models. Without it and without a key, calls of models return 502.',
    `\`${openAi}\``,
  ),
  PARLEY_CHAT_MODEL: variable(
    v.optional(Text),
    modelName,
    'The chat model behind `auto`.',
    `\`${usualModels.chat}\``,
  ),
  PARLEY_SPEECH_MODEL: variable(
    v.optional(Text),
    modelName,
    'The speech model behind `auto`.',
    `\`${usualModels.speech}\``,
  ),
  PARLEY_TRANSCRIPTION_MODEL: variable(
    v.optional(Text),
    modelName,
    'The transcription model behind `auto`.',
    `\`${usualModels.transcription}\``,
  ),
  PARLEY_EMBEDDING_MODEL: variable(
    v.optional(Text),
    modelName,
    'The model that embeds passages for the knowledge search, such as `text-embedding-3-small`.',
    'search by words alone',
  ),
  PARLEY_MODELS: variable(
    v.optional(Text),
    path,
    'A file that describes several providers and their models. It replaces the four variables above.',
  ),
  PARLEY_DISCLOSURE_MODEL: variable(
    v.optional(Text),
    modelName,
    'A model at `OPENAI_BASE_URL` that confirms what the disclosure rule accepts.',
    'the rule alone decides',
  ),
  PARLEY_TWILIO_URL: variable(
    v.optional(HttpUrl, twilioApi),
    'an http or https URL without a user, query or fragment',
    'The API that sends the text messages of designs, with the credentials of their project.',
  ),
  PARLEY_HUBSPOT_URL: variable(
    v.optional(HttpUrl, hubSpotApi),
    'an http or https URL without a user, query or fragment',
    'The API of the integrations whose provider is `hubspot`.',
  ),
  LIVEKIT_URL: variable(
    v.optional(LiveKitUrl),
    'a ws, wss, http or https URL without a user, query or fragment',
    'The LiveKit server of voice sessions. Set all three variables of LiveKit, or none.',
    `\`${liveKitDevelopment.url}\`; in production none, so that voice sessions need models that transcribe and speak`,
  ),
  LIVEKIT_API_KEY: variable(
    v.optional(HeaderText),
    headerText,
    'The key for LiveKit.',
    `\`${liveKitDevelopment.apiKey}\``,
  ),
  LIVEKIT_API_SECRET: variable(
    v.optional(HeaderText),
    headerText,
    'The secret of that key.',
    `\`${liveKitDevelopment.apiSecret}\``,
  ),
  PARLEY_VOICE_KEY: variable(
    v.optional(HeaderText),
    headerText,
    'The credential of a voice worker (`npm run voice`), for the server at `PARLEY_URL`.',
    'the one in `voice-worker.json` of `PARLEY_HOME`, which `serve` writes',
  ),
  PARLEY_VOICE_CALLS: variable(
    v.optional(Count, '10'),
    'an integer',
    'How many calls a voice worker carries at once.',
  ),
  PARLEY_VOICE_DRAIN: variable(
    v.optional(Count, '600'),
    'an integer',
    'Seconds that the calls of a voice worker may take after SIGTERM.',
  ),
  PARLEY_TOOLSETS: variable(
    v.optional(Text),
    names('toolsets'),
    'The toolsets that `parley mcp` lists, as `--toolsets`.',
    'all',
  ),
  PARLEY_TOOLS: variable(
    v.optional(Text),
    names('tools'),
    'The tools that `parley mcp` lists, as `--tools`.',
    'all',
  ),
  PARLEY_EXCLUDE: variable(
    v.optional(Text),
    names('tools'),
    'The tools that `parley mcp` hides, as `--exclude`.',
    'none',
  ),
  PARLEY_ACCESS: variable(
    v.optional(Text),
    'kinds of access, separated by commas',
    'The kinds of access that the tools of `parley mcp` may need, as `--access`.',
    'those of the key',
  ),
  PARLEY_FETCH_ALLOW: variable(
    v.optional(HostsAndPorts),
    '`HOST:PORT` pairs, separated by commas',
    'For trials: hosts that knowledge sources and requests of designs may reach although they are private. Rejected in production.',
    'none',
  ),
};

export type VariableName = keyof typeof variables;

const schemas = Object.fromEntries(Object.entries(variables).map(([name, { schema }]) => [name, schema]));

/** The whole environment. Variables of other programs pass. */
export const Environment = v.object(
  schemas as { [Name in VariableName]: (typeof variables)[Name]['schema'] },
);
export type Environment = v.InferOutput<typeof Environment>;

function network(entry: string): readonly [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  const address = ipaddr.process(entry);
  return [address, address.toByteArray().length * 8];
}

function isHostAndPort(entry: string): boolean {
  return /^[^\s/\\@?#*]+:0*[1-9]\d*$/.test(entry) && URL.canParse(`http://${entry}`);
}

/** Lower case, and always with a port, which a URL omits if it is 80. */
function hostAndPort(entry: string): string {
  const { hostname, port } = new URL(`http://${entry}`);
  return `${hostname}:${port || '80'}`;
}
