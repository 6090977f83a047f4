import { type RunSql, sqlIn } from '../db/sql.ts';
import { boundSql } from '../db/statement.ts';
import type { Transaction } from '../db/transaction.ts';
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

interface StoredResultRow {
  input_hash: string;
  answer: unknown;
  sealed_answer: Buffer | null;
}

const findResult = `
  select input_hash, answer, sealed_answer from idempotency_keys
  where project_id = :projectId and operation = :operation and key = :key
    and created_at >= now() - make_interval(hours => ${replayHours})`;

/** The first claim inserts; the unique index makes a second one wait for the first one's transaction. */
const claimKey = `
  insert into idempotency_keys as stored (project_id, operation, key, input_hash)
  values (:projectId, :operation, :key, :inputHash)
  on conflict (project_id, operation, key) do update
    set input_hash = excluded.input_hash, answer = null, sealed_answer = null, created_at = now()
    where stored.created_at < now() - make_interval(hours => ${replayHours})
  returning true as claimed`;

const settleKey = `
  update idempotency_keys set answer = :answer, sealed_answer = :sealedAnswer
  where project_id = :projectId and operation = :operation and key = :key`;

const insertAuditRow = `
  insert into audit_log
    (project_id, id, key_id, operation, request_id, input_hash, output_hash, resource_id, summary)
  values (:projectId, :id, :keyId, :operation, :requestId, :inputHash, :outputHash, :resourceId, :summary)`;

/** The results that idempotency keys of a project have stored. */
export class StoredResults {
  protected readonly sql: RunSql;
  protected readonly projectId: string;
  readonly #seal: ResultSeal;

  constructor(sql: RunSql, projectId: string, seal: ResultSeal) {
    this.sql = sql;
    this.projectId = projectId;
    this.#seal = seal;
  }

  /** What a key has stored in the last 24 hours. */
  async find(operation: string, key: string): Promise<StoredResult | undefined> {
    const { projectId } = this;
    const { rows } = await this.sql(findResult, { projectId, operation, key });
    const [row] = rows as StoredResultRow[];
    if (!row) return undefined;
    const value: unknown = row.sealed_answer
      ? JSON.parse(this.#seal.open(row.sealed_answer, this.#context(operation, key)))
      : row.answer;
    return { inputHash: row.input_hash, value };
  }

  protected sealed(operation: string, key: string, text: string): Buffer {
    return this.#seal.seal(text, this.#context(operation, key));
  }

  #context(operation: string, key: string): string {
    return JSON.stringify(['idempotency_keys', this.projectId, operation, key]);
  }
}

/** The records of a change: its audit row and, for a retry, its result. */
export class LedgerStore extends StoredResults {
  readonly #transaction: Transaction;

  constructor(transaction: Transaction, projectId: string, seal: ResultSeal) {
    super(sqlIn(transaction), projectId, seal);
    this.#transaction = transaction;
  }

  /** Claims a key for this transaction, after any other holder. Returns what the key has stored already. */
  async claim(operation: string, key: string, inputHash: string): Promise<StoredResult | undefined> {
    const { projectId } = this;
    const { rows } = await this.sql(claimKey, { projectId, operation, key, inputHash });
    return rows.length > 0 ? undefined : this.find(operation, key);
  }

  /** Stores the result of a claimed key; a secret one is sealed for this project, operation and key. */
  settle(operation: string, key: string, result: string, isSecret: boolean): void {
    const { projectId } = this;
    const sealedAnswer = isSecret ? this.sealed(operation, key, result) : null;
    const answer = isSecret ? null : result;
    this.#transaction.send(boundSql(settleKey, { projectId, operation, key, answer, sealedAnswer }));
  }

  /** Appends the audit row of a change. */
  audit(entry: {
    keyId: string;
    operation: string;
    requestId: string;
    inputHash: string;
    outputHash: string;
    resourceId: string | null;
    summary: string | null;
  }): void {
    const { projectId } = this;
    this.#transaction.send(boundSql(insertAuditRow, { ...entry, projectId, id: newId('audit') }));
  }
}
