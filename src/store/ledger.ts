import type { Knex } from 'knex';
import { newId } from '../id.ts';

/** Hours that a stored answer is replayed. */
const replayHours = 24;

interface StoredRow {
  input_hash: string;
  answer: unknown;
}

/** Which change an idempotency key belongs to. */
interface Claim {
  readonly operation: string;
  readonly key: string;
}

/** A first claim inserts; the unique index makes a second one wait for the first's transaction. */
const claimKey = `
  insert into idempotency_keys as stored (project_id, operation, key, input_hash)
  values (:projectId, :operation, :key, :inputHash)
  on conflict (project_id, operation, key) do update
    set input_hash = excluded.input_hash, answer = null, created_at = now()
    where stored.created_at < now() - make_interval(hours => :hours)
  returning true as claimed`;

/** What a change leaves behind besides itself: its audit row and, for a retry, its answer. */
export class LedgerStore {
  readonly #knex: Knex;
  readonly #projectId: string;

  constructor(knex: Knex, projectId: string) {
    this.#knex = knex;
    this.#projectId = projectId;
  }

  /** The answer that a key has stored and not outlived. */
  async find(operation: string, key: string): Promise<{ inputHash: string; answer: unknown } | undefined> {
    const row = await this.#knex<StoredRow & { created_at: Date }>('idempotency_keys')
      .where(this.#claim({ operation, key }))
      .whereRaw('created_at >= now() - make_interval(hours => ?)', [replayHours])
      .first('input_hash', 'answer');
    return row && { inputHash: row.input_hash, answer: row.answer };
  }

  /** Claims a key for this transaction, waiting for whoever holds it; answers what is stored already. */
  async claim(
    operation: string,
    key: string,
    inputHash: string,
  ): Promise<{ inputHash: string; answer: unknown } | undefined> {
    const binding = { projectId: this.#projectId, operation, key, inputHash, hours: replayHours };
    const { rows } = await this.#knex.raw<{ rows: unknown[] }>(claimKey, binding);
    return rows.length > 0 ? undefined : this.find(operation, key);
  }

  /** Stores the answer of a claimed key. */
  async settle(operation: string, key: string, answer: unknown): Promise<void> {
    await this.#knex('idempotency_keys')
      .where(this.#claim({ operation, key }))
      .update({ answer: JSON.stringify(answer) });
  }

  /** Appends the audit row of a change. */
  async audit(entry: {
    keyId: string;
    operation: string;
    requestId: string;
    inputHash: string;
    outputHash: string;
  }): Promise<void> {
    await this.#knex('audit_log').insert({
      project_id: this.#projectId,
      id: newId('audit'),
      key_id: entry.keyId,
      operation: entry.operation,
      request_id: entry.requestId,
      input_hash: entry.inputHash,
      output_hash: entry.outputHash,
    });
  }

  #claim(claim: Claim) {
    return { project_id: this.#projectId, ...claim };
  }
}
