import type { Knex } from 'knex';
import type { Services } from '../environment/services.ts';
import { indexingQueue } from '../jobs/queue.ts';
import type { Build, Caller, ClientAddress, KeyStatus } from '../operation/context.ts';
import { newId } from '../platform/id.ts';
import type { Log } from '../platform/log.ts';
import { mintSigningSecret } from '../platform/outbound/signature.ts';
import { EventLoopTurns, OneAtATime } from '../platform/turns.ts';
import type { Vault } from '../platform/vault.ts';
import { sqlOn } from '../postgres/sql.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { mintKey } from '../resources/keys/key.ts';
import type { KeyUse } from '../resources/keys/use-store.ts';
import { ProjectStores, storesIn } from '../resources/project-stores.ts';
import { findSecretRequest } from '../resources/secrets/request-store.ts';
import { sessionPath, sessionTokens } from '../resources/sessions/session-token.ts';
import {
  endLostSessions,
  idleSessions,
  type OpenSessionLimits,
  SessionStore,
} from '../resources/sessions/store.ts';
import { findUploadByToken, UploadStore } from '../resources/uploads/store.ts';
import type { UsageRecorder } from '../resources/usage/recorder.ts';
import type { SpendingLimits } from '../resources/usage/spending-limits.ts';
import { VoiceCalls } from '../resources/voice-calls/voice-calls.ts';
import type { Rooms } from '../services/livekit.ts';
import { KeyStatusReader, readKeyStatus } from '../store/key-status.ts';
import { LedgerStore, StoredResults } from '../store/ledger.ts';
import { queriesIn, queriesOn } from '../store/queries.ts';
import { findRecordStates } from '../store/resource-states.ts';
import { renewTasks } from '../store/tasks.ts';
import { mintAddressToken, secretRequestPath, uploadPath } from '../transports/auth/address-token.ts';
import { designFilePath, designToken } from '../transports/auth/design-address.ts';
import type { RateLimits } from '../transports/auth/rate-limits.ts';
import type { ServerRuntime } from '../transports/server-runtime.ts';
import type { PointConnections } from './point-connections.ts';

/** Everything that the runtime runs on. */
export interface DatabaseRuntimeParts {
  readonly build: Build;
  readonly write: Knex;
  /** Its sessions refuse writes. */
  readonly read: Knex;
  readonly points: PointConnections;
  readonly vault: Vault;
  readonly keyUse: KeyUse;
  readonly usage: UsageRecorder;
  readonly rateLimits: RateLimits;
  readonly spending: SpendingLimits;
  readonly openSessions: OpenSessionLimits;
  /** The address of the server, without a slash at its end. */
  readonly address: () => string;
  /** True if people reach the server at this address. */
  readonly isAddressKnown: boolean;
  readonly rooms: Pick<Rooms, 'sendWorker'>;
  readonly log: Log;
  /** The services that need no database. */
  readonly services: Omit<
    Services,
    | 'turn'
    | 'readInTurn'
    | 'mintKey'
    | 'mintSigningSecret'
    | 'mintUploadAddress'
    | 'designAddress'
    | 'mintSecretAddress'
    | 'studioLink'
    | 'mintSession'
    | 'useUpload'
    | 'seal'
    | 'sealFile'
    | 'open'
    | 'openFile'
    | 'sign'
    | 'isSigned'
    | 'meter'
  >;
}

/** The kernel's runtime on a Postgres database. */
export function databaseRuntime(parts: DatabaseRuntimeParts): ServerRuntime {
  const { build, write, read, points, vault, keyUse, usage, rateLimits, spending, openSessions } = parts;
  const turns = new EventLoopTurns();
  const largeReads = new OneAtATime();
  const tokens = sessionTokens(vault.tokenKeys);
  const services: Services = {
    ...parts.services,
    turn: ({ projectId }) => turns.take(projectId),
    readInTurn: ({ projectId }, work) => largeReads.run(projectId, work),
    mintKey,
    mintSigningSecret,
    mintUploadAddress() {
      const { text, hash } = mintAddressToken();
      return { url: `${parts.address()}${uploadPath}/${text}`, tokenHash: hash };
    },
    mintSecretAddress() {
      const { text, hash } = mintAddressToken();
      return { url: `${parts.address()}${secretRequestPath}/${text}`, tokenHash: hash };
    },
    designAddress: (design) => `${parts.address()}${designFilePath}/${designToken(services, design)}`,
    studioLink: (path) => (parts.isAddressKnown ? `${parts.address()}/studio${path}` : undefined),
    async mintSession(claims, now) {
      const sessionId = newId('session');
      const minted = await tokens.sign({ ...claims, sessionId }, now);
      return { roomUrl: `${parts.address()}${sessionPath}/${sessionId}`, ...minted };
    },
    async useUpload({ projectId }, uploadId) {
      await new UploadStore(queriesOn(write), projectId).use(uploadId);
    },
    meter: ({ projectId }, uses) => usage.note(projectId, uses),
    seal: ({ projectId }, table, id, value) => vault.seal(value, `${table} ${projectId} ${id}`),
    sealFile: ({ projectId }, table, id, content) => vault.sealFile(content, `${table} ${projectId} ${id}`),
    open: ({ projectId }, table, id, sealed) => vault.openBytes(sealed, `${table} ${projectId} ${id}`),
    openFile: ({ projectId }, table, id, sealed) => vault.openFile(sealed, `${table} ${projectId} ${id}`),
    sign: ({ projectId }, text) => vault.digests(signedText(projectId, text))[0],
    isSigned: ({ projectId }, text, signature) => vault.isDigest(signedText(projectId, text), signature),
  };

  const hashNetworks = ({ projectId }: Pick<Caller, 'projectId'>, networks: readonly string[]) =>
    networks.map((network) => vault.digests(`client address ${projectId} ${network}`)[0]);

  const addressHashes: ServerRuntime['addressHashes'] = (visitor, client) =>
    client && client.network !== '' ? hashNetworks(visitor, [client.network, ...client.wider]) : [];

  /** The address and the networks against whose limits a visitor counts. */
  const countedAddresses = (visitor: Pick<Caller, 'projectId'>, client: ClientAddress | undefined) =>
    client?.mayBeShared === false ? addressHashes(visitor, client) : [];

  const spendingNetworks: ServerRuntime['spendingNetworks'] = (visitor, client) =>
    client?.mayBeShared === false ? hashNetworks(visitor, client.nested) : [];

  const reads = queriesOn(read);

  /** Records the use of an active key. */
  const withUse = async (
    { projectId, keyId }: Pick<Caller, 'projectId' | 'keyId'>,
    requested: Promise<KeyStatus | undefined>,
  ) => {
    const keyStatus = await requested;
    if (keyStatus?.keyStatus === 'active') keyUse.note(projectId, keyId);
    return keyStatus;
  };
  /** The queries of this turn of the event loop, by key: calls of one turn share one query. */
  const requested = new Map<string, Promise<KeyStatus | undefined>>();

  return {
    build,
    services,

    admit: (caller, client) =>
      rateLimits.admit(caller, caller.keyType === 'publishable' ? countedAddresses(caller, client) : []),

    spending,

    admitVisitor: (visitor) => rateLimits.admitVisitor(visitor),

    admitStart: (start, client) => rateLimits.admitStart(start, countedAddresses(start, client)),

    openSessions,

    addressHashes,

    spendingNetworks,

    openSessionToken: (token) => tokens.open(token),

    sessions: ({ projectId }) => new SessionStore(queriesOn(write), projectId),

    idleSessions: (formats, limit) => idleSessions(read, formats, limit),

    endLostSessions: () => endLostSessions(write),

    keyStatus(caller) {
      const { projectId, keyId } = caller;
      const known = requested.get(keyId);
      if (known) return known;
      if (requested.size === 0) setImmediate(() => requested.clear());
      const keyStatus = withUse(caller, readKeyStatus(points.current(), projectId, keyId));
      requested.set(keyId, keyStatus);
      return keyStatus;
    },

    read(caller) {
      const point = new KeyStatusReader(points.current(), caller.projectId, caller.keyId);
      const stores = new ProjectStores({ ...reads, point }, caller.projectId);
      return { keyStatus: withUse(caller, point.keyStatus), stores };
    },

    stores: ({ projectId }) => new ProjectStores({ ...reads, point: points.current() }, projectId),

    recordStates: (records) => findRecordStates(read, records),

    renewTasks: (held) => renewTasks(write, held),

    findSecretRequest: (tokenHash) => findSecretRequest(read, tokenHash),

    voiceCalls: new VoiceCalls({
      write,
      tokens,
      sessions: ({ projectId }) => new SessionStore(queriesOn(write), projectId),
      rooms: parts.rooms,
      meter: (caller, uses) => services.meter(caller, uses),
      address: () => parts.address(),
      log: parts.log,
    }),

    voiceKey: `pvk_${vault.digests(voiceKeyText)[0]}`,

    isVoiceKey: (credential) =>
      credential.startsWith('pvk_') && vault.isDigest(voiceKeyText, credential.slice('pvk_'.length)),

    findUpload: (tokenHash) => findUploadByToken(points.current(), tokenHash),

    digests: (text) => vault.digests(text),

    storedResult: ({ projectId }, claim) => new StoredResults(sqlOn(read), projectId).find(claim),

    snapshot: ({ projectId }, work) =>
      read.transaction((trx) => work(storesIn(trx, projectId)), {
        isolationLevel: 'repeatable read',
        readOnly: true,
      }),

    write: (caller, work) =>
      inTransaction(write, (transaction) => {
        const { projectId, keyId } = caller;
        const queries = queriesIn(transaction, { indexing: indexingQueue, author: keyId });
        return work({
          stores: new ProjectStores(queries, projectId),
          ledger: new LedgerStore(transaction, projectId),
          keyStatus: () => withUse(caller, readKeyStatus(queries.point, projectId, keyId)),
        });
      }),
  };
}

/** What the credential of voice workers is a digest of. */
const voiceKeyText = 'voice worker';

function signedText(projectId: string, text: string): string {
  return `signed ${projectId} ${text}`;
}
