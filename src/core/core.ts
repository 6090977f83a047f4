import type { Knex } from 'knex';
import { jobsSchema } from '../jobs/jobs-schema.ts';
import { countJobs, type JobCounts } from '../jobs/listing.ts';
import type { Authenticate, Build } from '../operation/context.ts';
import type { EmbeddingModel, ModelsConfig } from '../platform/config/models.ts';
import { codeOf } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { openApiSender } from '../platform/outbound/api-sender.ts';
import { openRequestSender } from '../platform/outbound/request-sender.ts';
import { type PoolUse, useOf } from '../platform/private-members/knex.ts';
import { Threads } from '../platform/threads/threads.ts';
import { openVault } from '../platform/vault.ts';
import { isMigrated, migrate } from '../postgres/migrate.ts';
import { asPoolerError, requireTimeLimits } from '../postgres/pgbouncer.ts';
import { openPool, type Warn } from '../postgres/pool.ts';
import { vectorSchema, whyNoVectors } from '../postgres/vector-schema.ts';
import { KeyUse } from '../resources/keys/use-store.ts';
import type { OpenSessionLimits } from '../resources/sessions/store.ts';
import { UsageRecorder } from '../resources/usage/recorder.ts';
import { SpendingLimits, type SpendingSettings } from '../resources/usage/spending-limits.ts';
import { calendarProviders } from '../services/calendars/calendar-providers.ts';
import { type LiveKitServer, liveKitRooms } from '../services/livekit.ts';
import { chatCompletions } from '../services/models/chat.ts';
import type { ConfirmDisclosure } from '../services/models/disclosure.ts';
import { type Embedder, openEmbedder } from '../services/models/embeddings.ts';
import { openModels } from '../services/models/models.ts';
import { promptedModel } from '../services/models/prompted.ts';
import { offeredModels } from '../services/models/routes.ts';
import { speeches } from '../services/models/speech.ts';
import { transcriptions } from '../services/models/transcription.ts';
import type { UpstreamLimits, UpstreamMetrics } from '../services/models/upstream.ts';
import { crmProviders } from '../services/providers/crm-providers.ts';
import { type TwilioAccount, twilio } from '../services/providers/twilio.ts';
import { rendererIn } from '../services/rendering/renderer.ts';
import type { Embed } from '../services/search/vectors.ts';
import { RateLimitWindows } from '../store/rate-limit-windows.ts';
import { SlotHolds } from '../store/slot-holds.ts';
import { type RateLimitSettings, RateLimits } from '../transports/auth/rate-limits.ts';
import type { ServerRuntime } from '../transports/server-runtime.ts';
import { callersIn } from './callers.ts';
import { databaseRuntime } from './database-runtime.ts';
import { limitedDrawings } from './limited-drawings.ts';
import { PointConnections } from './point-connections.ts';

/** Parley on its database, without a transport. */
export interface Core {
  readonly runtime: ServerRuntime;
  readonly authenticate: Authenticate;
  /** For commands that do more than run operations. */
  readonly knex: Knex;
  /** Makes vectors of passages; undefined if knowledge is searched by words alone. */
  readonly embed: Embed | undefined;
  /** For work that would block the process. */
  readonly threads: Threads;
  /** An embedded Postgres that was killed may come back at another address. */
  readonly databaseUrl: string;
  /** How the embedded Postgres was reached; undefined on the operator's own database. */
  readonly embedded: 'started' | 'attached' | undefined;
  /** What an operator watches. */
  readonly state: CoreState;
  /** Returns the ids of the other processes for which the embedded Postgres keeps running. */
  close(): Promise<readonly number[]>;
}

export interface CoreState {
  /** True if the database has every migration of this build. Rejects if the database cannot be reached. */
  isMigrated(): Promise<boolean>;
  /** The use of the database connections, by the name of the pool. */
  poolUses(): Readonly<Record<'read' | 'write' | 'point', PoolUse>>;
  countJobs(): Promise<JobCounts>;
  /** Usage events that the database has not confirmed. */
  readonly unwrittenUsage: number;
}

export interface OutboundOptions {
  /** `host:port` pairs that may be at any address (PARLEY_FETCH_ALLOW). */
  readonly allow: readonly string[];
  /** Whether errors explain PARLEY_FETCH_ALLOW, which production rejects. */
  readonly trial: boolean;
  readonly twilioUrl: string;
  readonly hubSpotUrl: string;
}

export interface CoreOptions {
  /** Undefined: the embedded Postgres under `home`. */
  readonly databaseUrl: string | undefined;
  readonly home: string;
  /** Connections to the database in all, at least 3. */
  readonly connections: number;
  readonly build: Build;
  /** Keys that encrypt secrets in the database: the first seals, all of them open. */
  readonly secrets: readonly [current: string, ...older: string[]];
  /** Undefined: only the rule decides whether a line discloses the AI. */
  readonly confirmDisclosure?: ConfirmDisclosure | undefined;
  /** Undefined: there are no rate limits. */
  readonly rateLimits?: RateLimitSettings | undefined;
  /** Undefined: sessions spend without limits. */
  readonly spending?: SpendingSettings | undefined;
  /** Undefined: 750 sessions of a web agent, and 500 from an address. */
  readonly openSessions?: OpenSessionLimits | undefined;
  /** Undefined: web sessions return 502. */
  readonly liveKit: LiveKitServer | undefined;
  /** Undefined: model calls return 502. */
  readonly models?: ModelsConfig | undefined;
  /** The address of the server, for the addresses to which files are sent. It may change while Parley runs. */
  readonly address: () => string;
  /** True if people reach the server at this address, so that results may link to the Studio. False by default. */
  readonly isAddressKnown?: boolean;
  /** The hosts that the requests of designs may reach, and the addresses of providers. */
  readonly outbound: OutboundOptions;
  /** Shorter time limits of upstreams, for tests. */
  readonly upstreamLimits?: Partial<UpstreamLimits> | undefined;
  /** Milliseconds for one question to the model that plays a call; shorter in tests. */
  readonly promptTimeLimit?: number | undefined;
  readonly upstreamMetrics?: UpstreamMetrics | undefined;
  /** Milliseconds after which a silent connection to the database is closed; shorter in tests. */
  readonly databaseSilence?: number | undefined;
  /** Milliseconds to wait for a free connection to the database; longer in tests. */
  readonly databaseWait?: number | undefined;
  /** Milliseconds between two writes of recorded usage; shorter in tests. */
  readonly usageFlushInterval?: number | undefined;
  readonly log: Log;
  readonly warn: Warn;
}

const noLimits: SpendingSettings = { session: {}, address: {}, webAgent: {}, project: {}, seconds: 1 };

/**
 * Opens the database (starting the embedded one if no URL is given), migrates its schema, and wires the services.
 * @throws if the database cannot be reached or migrated; everything that was opened is closed then
 */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { databaseUrl, home, build, confirmDisclosure, liveKit, log } = options;
  let closing = false;
  // Closing may cut reads whose callers have left.
  const warn = (line: string) => {
    if (!closing) options.warn(line);
  };
  const embedded = databaseUrl ? undefined : await openEmbeddedPostgres(home, warn);
  const connectionString = databaseUrl ?? embedded?.address ?? '';
  const url = () => databaseUrl ?? embedded?.url ?? '';
  const share = connectionShares(options.connections);
  const silence = options.databaseSilence;
  const pool = { connectionString, warn, silence, acquireTimeout: options.databaseWait };
  const write = openPool({ ...pool, mode: 'write', max: share.write });
  const read = openPool({ ...pool, mode: 'read', max: share.read });
  const points = new PointConnections(connectionString, share.point, silence);
  const threads = new Threads();
  const keyUse = new KeyUse(write, (error) => warn(`lastUsedAt was not written: ${codeOf(error)}`));
  // Lost usage is reported while closing, too.
  const usage = new UsageRecorder(write, options.warn, options.usageFlushInterval);
  const rateLimits = new RateLimits(options.rateLimits ?? {}, new RateLimitWindows(write));
  const spending = new SpendingLimits(options.spending ?? noLimits, new RateLimitWindows(write));
  const models = openModels(options.models, options.upstreamLimits, options.upstreamMetrics);
  const { allow, trial, twilioUrl, hubSpotUrl } = options.outbound;
  const requests = openRequestSender({ allow, trial, log, version: build.version });
  const apis = openApiSender({ allow, trial, log, version: build.version });
  const close = async () => {
    closing = true;
    await Promise.all([requests.close(), apis.close()]);
    // Calls that closing cuts still record their usage, which is written next.
    await models.close();
    await Promise.all([keyUse.close(), usage.close()]);
    await threads.close();
    await Promise.all([write.destroy(), read.destroy(), points.close()]);
    return (await embedded?.leave()) ?? [];
  };
  let embedder: Embedder | undefined;
  try {
    await requireTimeLimits((sql) => write.raw(sql));
    const { embedding } = options.models ?? {};
    await migrate(write, url(), warn, jobsSchema, ...(embedding ? [vectorSchema] : []));
    embedder = embedding && (await embedderOn(write, embedding, log));
  } catch (error) {
    await close();
    throw asPoolerError(error);
  }
  const completeChat = chatCompletions(models, log);
  const hasChat = (options.models?.chat.auto.length ?? 0) > 0;
  const hasVoice = [options.models?.speech, options.models?.transcription].every(
    (service) => (service?.auto.length ?? 0) > 0,
  );
  const rooms = liveKitRooms(liveKit);
  const services = {
    confirmDisclosure,
    openRoom: rooms.open,
    playsVoice: async () => hasVoice && !(await rooms.isThere()),
    completeChat,
    currency: options.models?.prices?.currency,
    chatModels: offeredModels(hasChat ? options.models?.chat : undefined),
    promptModel: hasChat ? promptedModel(completeChat, options.promptTimeLimit) : undefined,
    speak: speeches(models),
    transcribe: transcriptions(models),
    embedQuestion: embedder?.embedQuestion,
    renderDiagram: limitedDrawings(rendererIn(threads), rateLimits),
    requests,
    openSms: (account: TwilioAccount) => twilio(twilioUrl, account),
    openCrm: crmProviders({ hubSpotUrl }),
    openCalendar: calendarProviders(apis),
    slotHolds: new SlotHolds(write),
    warn: (facts: object, message: string) => log.warn(facts, message),
  };
  const vault = openVault(options.secrets);
  return {
    runtime: databaseRuntime({
      build,
      write,
      read,
      points,
      vault,
      keyUse,
      usage,
      rateLimits,
      spending,
      openSessions: options.openSessions ?? { ofWebAgent: 750, ofAddress: 500 },
      address: options.address,
      isAddressKnown: options.isAddressKnown ?? false,
      rooms,
      log,
      services,
    }),
    authenticate: callersIn(() => points.current()),
    knex: write,
    embed: embedder?.embed,
    threads,
    get databaseUrl() {
      return url();
    },
    embedded: embedded?.how,
    state: {
      isMigrated: () => isMigrated(points.current()),
      poolUses: () => ({ read: useOf(read), write: useOf(write), point: points.use }),
      countJobs: () => countJobs(read),
      get unwrittenUsage() {
        return usage.unwritten;
      },
    },
    close,
  };
}

/** The embedding model; undefined, with a line in the log, if the database cannot store vectors. */
async function embedderOn(db: Knex, model: EmbeddingModel, log: Log): Promise<Embedder | undefined> {
  const reason = await whyNoVectors(db);
  if (reason === undefined) return openEmbedder(model, log);
  log.warn({ reason }, 'knowledge is searched by words alone');
  return undefined;
}

async function openEmbeddedPostgres(home: string, warn: Warn) {
  const { openEmbedded } = await import('../postgres/embedded/embedded.ts');
  return openEmbedded(home, warn);
}

/** Point reads get two connections (one of fewer than 8); the pools share the rest. */
function connectionShares(connections: number) {
  const point = connections >= 8 ? 2 : 1;
  const write = Math.floor((connections - point) / 2);
  return { point, write, read: connections - point - write };
}
