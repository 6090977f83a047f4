import type { Knex } from 'knex';
import { mintKey } from '../auth/key.ts';
import { codeOf } from '../errors.ts';
import { indexingQueue } from '../jobs/queue.ts';
import { type KeyStatus, KeyStatusReader, readKeyStatus } from '../store/identities.ts';
import type { KeyUse } from '../store/key-use.ts';
import { LedgerStore } from '../store/ledger.ts';
import { Stores, storesIn } from '../store/stores.ts';
import type { Build, Caller, Services } from '../tool/context.ts';
import type { Runtime } from '../tool/runtime.ts';
import type { UsageRecorder } from '../usage/recorder.ts';
import type { Vault } from '../vault/vault.ts';
import type { PointConnections } from './point-connections.ts';

/** SQLSTATEs of a serialisation failure and of a deadlock. */
const retriedCodes = new Set(['40001', '40P01']);
const maximumAttempts = 3;

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
  /** The services that need no database. */
  readonly services: Omit<Services, 'mintKey' | 'seal' | 'open' | 'meter'>;
}

/** The kernel's runtime on a Postgres database. */
export function databaseRuntime(parts: DatabaseRuntimeParts): Runtime {
  const { build, write, read, points, vault, keyUse, usage } = parts;
  const services: Services = {
    ...parts.services,
    mintKey,
    meter: ({ projectId }, uses) => usage.note(projectId, uses),
    seal: ({ projectId }, table, id, value) => vault.seal(value, `${table} ${projectId} ${id}`),
    open: ({ projectId }, table, id, sealed) => vault.openBytes(sealed, `${table} ${projectId} ${id}`),
  };

  /** Records the use of an active key. */
  const withUse = async ({ projectId, keyId }: Caller, requested: Promise<KeyStatus | undefined>) => {
    const keyStatus = await requested;
    if (keyStatus?.keyStatus === 'active') keyUse.note(projectId, keyId);
    return keyStatus;
  };
  /** The queries of this turn of the event loop, by key: calls of one turn share one query. */
  const requested = new Map<string, Promise<KeyStatus | undefined>>();

  return {
    build,
    services,

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
      const stores = new Stores({ knex: read, point }, caller.projectId);
      return { keyStatus: withUse(caller, point.keyStatus), stores };
    },

    stores: ({ projectId }) => new Stores({ knex: read, point: points.current() }, projectId),

    digests: (text) => vault.digests(text),

    storedResult: ({ projectId }, operation, key) =>
      new LedgerStore(read, projectId, vault).find(operation, key),

    snapshot: ({ projectId }, work) =>
      read.transaction((trx) => work(storesIn(trx, projectId)), {
        isolationLevel: 'repeatable read',
        readOnly: true,
      }),

    write: ({ projectId }, work) =>
      transaction(write, (trx) =>
        work(storesIn(trx, projectId, indexingQueue), new LedgerStore(trx, projectId, vault)),
      ),
  };
}

/** Runs a transaction, up to three times if Postgres asks for a retry. Throws what `work` threw last. */
async function transaction<Output>(
  knex: Knex,
  work: (trx: Knex.Transaction) => Promise<Output>,
): Promise<Output> {
  for (let attempt = 1; ; attempt++) {
    let thrown: unknown;
    const remember = (error: unknown) => {
      thrown = error;
      throw error;
    };
    try {
      return await knex.transaction((trx) => work(trx).catch(remember));
    } catch (error) {
      // If the connection is gone the rollback fails as well, and knex reports only that.
      const failure = thrown ?? error;
      if (attempt >= maximumAttempts || !retriedCodes.has(codeOf(failure))) throw failure;
    }
  }
}
