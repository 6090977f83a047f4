import type { Knex } from 'knex';
import { runSql } from '../db/sql.ts';
import { newId } from '../id.ts';

/** Hours for which a stored result is replayed. */
const replayHours = 24;

/** Encrypts results that hold a secret. */
export interface ResultSeal {
  seal(text: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
}

/** What an idempotency key has stored. */
interface StoredResult {
  readonly inputHash: string;
  readonly value: unknown;
}

interface IdempotencyKeyRow {
  project_id: string;
  operation: string;
  key: string;
  input_hash: string;
  answer: unknown;
  sealed_answer: Buffer | null;
  created_at: Date;
}

/** The first claim inserts; the unique index makes a second one wait for the first one's transaction. */
const claimKey = `
  insert into idempotency_keys as stored (project_id, operation, key, input_hash)
  values (:projectId, :operation, :key, :inputHash)
  on conflict (project_id, operation, key) do update
    set input_hash = excluded.input_hash, answer = null, sealed_answer = null, created_at = now()
    where stored.created_at < now() - make_interval(hours => :hours)
  returning true as claimed`;

/** The records of a change: its audit row and, for a retry, its result. */
export class LedgerStore {
  readonly #knex: Knex;
  readonly #projectId: string;
  readonly #seal: ResultSeal;

  constructor(knex: Knex, projectId: string, seal: ResultSeal) {
    this.#knex = knex;
    this.#projectId = projectId;
    this.#seal = seal;
  }

  /** What a key has stored in the last 24 hours. */
  async find(operation: string, key: string): Promise<StoredResult | undefined> {
    const row = await this.#row(operation, key)
      .whereRaw('created_at >= now() - make_interval(hours => :replayHours)', { replayHours })
      .first('input_hash', 'answer', 'sealed_answer');
    if (!row) return undefined;
    const value: unknown = row.sealed_answer
      ? JSON.parse(this.#seal.open(row.sealed_answer, this.#context(operation, key)))
      : row.answer;
    return { inputHash: row.input_hash, value };
  }

  /** Claims a key for this transaction, after any other holder. Returns what the key has stored already. */
  async claim(operation: string, key: string, inputHash: string): Promise<StoredResult | undefined> {
    const binding = { projectId: this.#projectId, operation, key, inputHash, hours: replayHours };
    const rows = await runSql(this.#knex, claimKey, binding);
    return rows.length > 0 ? undefined : this.find(operation, key);
  }

  /** Stores the result of a claimed key; a secret one is sealed for this project, operation and key. */
  async settle(operation: string, key: string, value: unknown, secret: boolean): Promise<void> {
    const text = JSON.stringify(value);
    await this.#row(operation, key).update(
      secret ? { sealed_answer: this.#seal.seal(text, this.#context(operation, key)) } : { answer: text },
    );
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

  #row(operation: string, key: string) {
    return this.#knex<IdempotencyKeyRow>('idempotency_keys').where({
      project_id: this.#projectId,
      operation,
      key,
    });
  }

  #context(operation: string, key: string): string {
    return JSON.stringify(['idempotency_keys', this.#projectId, operation, key]);
  }
}
