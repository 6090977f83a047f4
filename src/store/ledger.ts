import type { Knex } from 'knex';
import { newId } from '../id.ts';

/** Hours that a stored answer is replayed. */
const replayHours = 24;

interface StoredRow {
  input_hash: string;
  answer: unknown;
  sealed_answer: Buffer | null;
}

/** How a secret answer is kept. */
export interface AnswerSeal {
  seal(text: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
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
    set input_hash = excluded.input_hash, answer = null, sealed_answer = null, created_at = now()
    where stored.created_at < now() - make_interval(hours => :hours)
  returning true as claimed`;

/** What a change leaves behind besides itself: its audit row and, for a retry, its answer. */
export class LedgerStore {
  readonly #knex: Knex;
  readonly #projectId: string;
  readonly #seal: AnswerSeal;

  constructor(knex: Knex, projectId: string, seal: AnswerSeal) {
    this.#knex = knex;
    this.#projectId = projectId;
    this.#seal = seal;
  }

  /** The answer that a key has stored and not outlived. */
  async find(operation: string, key: string): Promise<{ inputHash: string; answer: unknown } | undefined> {
    const row = await this.#knex<StoredRow & { created_at: Date }>('idempotency_keys')
      .where(this.#claim({ operation, key }))
      .whereRaw('created_at >= now() - make_interval(hours => ?)', [replayHours])
      .first('input_hash', 'answer', 'sealed_answer');
    if (!row) return undefined;
    const sealed = row.sealed_answer;
    const answer: unknown = sealed
      ? JSON.parse(this.#seal.open(sealed, this.#context(operation, key)))
      : row.answer;
    return { inputHash: row.input_hash, answer };
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

  /** Stores the answer of a claimed key; a secret one is sealed to its place. */
  async settle(operation: string, key: string, answer: unknown, secret: boolean): Promise<void> {
    const text = JSON.stringify(answer);
    await this.#knex('idempotency_keys')
      .where(this.#claim({ operation, key }))
      .update(
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

  #claim(claim: Claim) {
    return { project_id: this.#projectId, ...claim };
  }

  #context(operation: string, key: string): string {
    return JSON.stringify(['idempotency_keys', this.#projectId, operation, key]);
  }
}
