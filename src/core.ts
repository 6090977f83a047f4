import type { Knex } from 'knex';
import { type Authenticate, authenticator } from './auth/authenticate.ts';
import { mintKey } from './auth/key.ts';
import type { EmbeddingModel, ModelsConfig } from './config/models.ts';
import { migrate } from './db/migrate.ts';
import { PipelinedConnection } from './db/pipelined.ts';
import { openPool, type Warn } from './db/pool.ts';
import { vectorSchema, whyNoVectors } from './db/vector-schema.ts';
import { codeOf } from './errors.ts';
import { jobsSchema } from './jobs/jobs-schema.ts';
import { indexingQueue } from './jobs/queue.ts';
import { type LiveKitServer, liveKitRooms, type OpenRoom } from './livekit/rooms.ts';
import type { Log } from './log.ts';
import { type CompleteChat, chatCompletions } from './models/chat.ts';
import type { ConfirmDisclosure } from './models/disclosure.ts';
import { type Embedder, type EmbedQuestion, openEmbedder } from './models/embeddings.ts';
import { openModels } from './models/models.ts';
import { type Speak, speeches } from './models/speech.ts';
import { type Transcribe, transcriptions } from './models/transcription.ts';
import type { UpstreamLimits } from './models/upstream.ts';
import { openRenderer, type RenderDiagram } from './rendering/renderer.ts';
import type { Embed } from './search/vectors.ts';
import {
  findIdentity,
  type Identity,
  type KeyStatus,
  KeyStatusReader,
  readKeyStatus,
} from './store/identities.ts';
import { KeyUse } from './store/key-use.ts';
import { LedgerStore } from './store/ledger.ts';
import { Stores, storesIn } from './store/stores.ts';
import { accessOfKey } from './tool/access.ts';
import type { AuthenticateCaller, Build, Caller } from './tool/context.ts';
import type { Runtime } from './tool/runtime.ts';
import { UsageRecorder } from './usage/recorder.ts';
import { openVault, type Vault } from './vault/vault.ts';

/** Parley on its database, without any transport. */
export interface Core {
  readonly runtime: Runtime;
  readonly authenticate: AuthenticateCaller;
  /** For what the command line does besides operations. */
  readonly knex: Knex;
  /** Makes vectors of what is indexed; undefined where texts are found by their words alone. */
  readonly embed: Embed | undefined;
  /** Of an embedded Postgres it may change when that was killed. */
  readonly databaseUrl: string;
  /** How the embedded Postgres was reached; undefined with a database of the operator's. */
  readonly embedded: 'started' | 'attached' | undefined;
  close(): Promise<void>;
}

export interface CoreOptions {
  readonly databaseUrl: string | undefined;
  readonly home: string;
  readonly connections: number;
  readonly build: Build;
  /** Encrypt what is stored secretly: the first seals, the others still open. */
  readonly secrets: readonly [current: string, ...older: string[]];
  /** Undefined: the rule alone decides whether a line discloses the AI. */
  readonly confirmDisclosure?: ConfirmDisclosure | undefined;
  /** Undefined: there is no room for web sessions. */
  readonly liveKit: LiveKitServer | undefined;
  /** Undefined: calls of models are answered with 502. */
  readonly models?: ModelsConfig | undefined;
  /** How long upstreams may take, where a test has no time. */
  readonly upstreamLimits?: Partial<UpstreamLimits> | undefined;
  /** Milliseconds between two writes of what was used, where a test has no time. */
  readonly usageFlushInterval?: number | undefined;
  readonly log: Log;
  readonly warn: Warn;
}

/** Opens the database (starting the embedded one where none is named), brings its schema up to date. */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { databaseUrl, home, connections } = options;
  let closing = false;
  // A read whose answer nobody waits for any more may be cut by the end; that is nothing to tell.
  const warn = (line: string) => {
    if (!closing) options.warn(line);
  };
  const embedded = databaseUrl ? undefined : await openEmbeddedPostgres(home, warn);
  const connectionString = databaseUrl ?? embedded?.address ?? '';
  const url = () => databaseUrl ?? embedded?.url ?? '';
  const share = connectionShares(connections);
  const write = openPool({ connectionString, mode: 'write', max: share.write, warn });
  const read = openPool({ connectionString, mode: 'read', max: share.read, warn });
  const points = Array.from({ length: share.point }, () => new PipelinedConnection(connectionString));
  const renderer = openRenderer();
  const keyUse = new KeyUse(write, (error) => warn(`lastUsedAt was not written: ${codeOf(error)}`));
  // What it loses it says, at the end too.
  const usage = new UsageRecorder(write, options.warn, options.usageFlushInterval);
  const models = openModels(options.models, options.upstreamLimits);
  const close = async () => {
    closing = true;
    // What a cut call has used is noted before that is written.
    await models.close();
    await Promise.all([keyUse.close(), usage.close()]);
    await renderer.close();
    await Promise.all([write.destroy(), read.destroy(), ...points.map((point) => point.close())]);
    await embedded?.leave();
  };
  let embedder: Embedder | undefined;
  try {
    const { embedding } = options.models ?? {};
    await migrate(write, url(), warn, jobsSchema, ...(embedding ? [vectorSchema] : []));
    embedder = embedding && (await embedderOn(write, embedding, options.log));
  } catch (error) {
    await close();
    throw error;
  }
  const vault = openVault(options.secrets);
  const { build, confirmDisclosure, liveKit } = options;
  const runtime = databaseRuntime({
    build,
    write,
    read,
    points,
    vault,
    keyUse,
    usage,
    confirmDisclosure,
    openRoom: liveKitRooms(liveKit),
    completeChat: chatCompletions(models, options.log),
    speak: speeches(models),
    transcribe: transcriptions(models),
    embedQuestion: embedder?.embedQuestion,
    renderDiagram: renderer.render,
  });
  const authenticate = callersOf(authenticator((hash) => findIdentity(next(points), hash)));
  return {
    runtime,
    authenticate,
    knex: write,
    embed: embedder?.embed,
    get databaseUrl() {
      return url();
    },
    embedded: embedded?.how,
    close,
  };
}

/** The model that makes vectors; undefined where the database has no place for them, which is told. */
async function embedderOn(db: Knex, model: EmbeddingModel, log: Log): Promise<Embedder | undefined> {
  const reason = await whyNoVectors(db);
  if (reason === undefined) return openEmbedder(model, log);
  log.warn({ reason }, 'knowledge is searched by words alone');
  return undefined;
}

async function openEmbeddedPostgres(home: string, warn: Warn) {
  const { openEmbedded } = await import('./db/embedded.ts');
  return openEmbedded(home, warn);
}

/** Point reads share two connections (one, where there are few); the pools share the rest. */
function connectionShares(connections: number) {
  const point = connections >= 8 ? 2 : 1;
  const write = Math.floor((connections - point) / 2);
  return { point, write, read: connections - point - write };
}

/** The callers behind credentials; one object for one key, made when its identity is first seen. */
function callersOf(authenticate: Authenticate): AuthenticateCaller {
  const callers = new WeakMap<Identity, Caller>();
  const callerOf = (identity: Identity) => {
    const known = callers.get(identity);
    if (known) return known;
    const { keyId, projectId, keyType, scope } = identity;
    const access = accessOfKey(scope, identity.access);
    const caller: Caller = Object.freeze({ keyId, projectId, keyType, scope, access });
    callers.set(identity, caller);
    return caller;
  };
  return (credential) => {
    const identity = authenticate(credential);
    return identity instanceof Promise ? identity.then(callerOf) : callerOf(identity);
  };
}

let turn = 0;
let taken = false;

/** One of the shared connections: the same one for a turn of the event loop, whose statements are one write. */
function next(points: readonly PipelinedConnection[]): PipelinedConnection {
  if (!taken) {
    taken = true;
    turn = (turn + 1) % points.length;
    setImmediate(() => {
      taken = false;
    });
  }
  const point = points[turn];
  if (!point) throw new Error('no connection for point reads');
  return point;
}

const serialisationFailures = new Set(['40001', '40P01']);
const maximumAttempts = 3;

interface DatabaseRuntimeParts {
  readonly build: Build;
  readonly write: Knex;
  readonly read: Knex;
  readonly points: readonly PipelinedConnection[];
  readonly vault: Vault;
  readonly keyUse: KeyUse;
  readonly usage: UsageRecorder;
  readonly confirmDisclosure: ConfirmDisclosure | undefined;
  readonly openRoom: OpenRoom;
  readonly completeChat: CompleteChat;
  readonly speak: Speak;
  readonly transcribe: Transcribe;
  readonly embedQuestion: EmbedQuestion | undefined;
  readonly renderDiagram: RenderDiagram;
}

function databaseRuntime(parts: DatabaseRuntimeParts): Runtime {
  const { build, write, read, points, vault, keyUse, usage, confirmDisclosure } = parts;
  const { openRoom, completeChat, speak, transcribe, embedQuestion, renderDiagram } = parts;
  const noted = async ({ projectId, keyId }: Caller, asked: Promise<KeyStatus | undefined>) => {
    const keyStatus = await asked;
    if (keyStatus?.keyStatus === 'active') keyUse.note(projectId, keyId);
    return keyStatus;
  };
  /** Of this turn of the event loop, by key: none has been sent yet, so that one answers all who ask. */
  const asked = new Map<string, Promise<KeyStatus | undefined>>();
  return {
    build,
    services: {
      meter: ({ projectId }, uses) => usage.note(projectId, uses),
      mintKey,
      confirmDisclosure,
      openRoom,
      completeChat,
      embedQuestion,
      speak,
      transcribe,
      renderDiagram,
      seal: ({ projectId }, table, id, value) => vault.seal(value, `${table} ${projectId} ${id}`),
      open: ({ projectId }, table, id, sealed) => vault.openBytes(sealed, `${table} ${projectId} ${id}`),
    },
    keyStatus(caller) {
      const { projectId, keyId } = caller;
      const known = asked.get(keyId);
      if (known) return known;
      if (asked.size === 0) setImmediate(() => asked.clear());
      const keyStatus = noted(caller, readKeyStatus(next(points), projectId, keyId));
      asked.set(keyId, keyStatus);
      return keyStatus;
    },
    read(caller) {
      const point = new KeyStatusReader(next(points), caller.projectId, caller.keyId);
      const stores = new Stores({ knex: read, point }, caller.projectId);
      return { keyStatus: noted(caller, point.keyStatus), stores };
    },
    stores: ({ projectId }) => new Stores({ knex: read, point: next(points) }, projectId),
    digests: (text) => vault.digests(text),
    storedResult: ({ projectId }, operation, key) =>
      new LedgerStore(read, projectId, vault).find(operation, key),
    snapshot: ({ projectId }, work) =>
      read.transaction((trx) => work(storesIn(trx, projectId)), {
        isolationLevel: 'repeatable read',
        readOnly: true,
      }),
    async write({ projectId }, work) {
      for (let attempt = 1; ; attempt++) {
        let thrown: unknown;
        const noted = (error: unknown) => {
          thrown = error;
          throw error;
        };
        try {
          return await write.transaction((trx) =>
            work(storesIn(trx, projectId, indexingQueue), new LedgerStore(trx, projectId, vault)).catch(
              noted,
            ),
          );
        } catch (error) {
          // Where the connection is gone the rollback fails too, and knex tells of that alone.
          const failure = thrown ?? error;
          if (attempt >= maximumAttempts || !serialisationFailures.has(codeOf(failure))) throw failure;
        }
      }
    },
  };
}
