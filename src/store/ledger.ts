import { newId } from '../platform/id.ts';
import { type RunSql, sqlIn } from '../postgres/sql.ts';
import { boundSql } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';

/** Hours for which a stored result is replayed. */
const replayHours = 24;

/** What an idempotency key counts for. */
interface Claim {
  readonly credential: string;
  readonly operation: string;
  readonly key: string;
}

/**
 * The credential is part of the stored key: a key of another credential is another row, which nobody waits for and nobody
 * finds. A key of a client has no space, so a release that stores it as it is cannot find these rows, nor these its rows.
 */
const storedClaim = ({ credential, operation, key }: Claim) => ({ operation, key: `${credential} ${key}` });

/** What an idempotency key has stored. */
interface StoredResult {
  readonly inputHash: string;
  readonly value: unknown;
}

interface StoredResultRow {
  input_hash: string;
  answer: unknown;
}

const isClaim = 'project_id = :projectId and operation = :operation and key = :key';

const findResult = `
  select input_hash, answer from idempotency_keys
  where ${isClaim}
    and created_at >= now() - make_interval(hours => ${replayHours})`;

/** The first claim inserts; the unique index makes a second one wait for the first one's transaction. */
const claimKey = `
  insert into idempotency_keys as stored (project_id, operation, key, input_hash)
  values (:projectId, :operation, :key, :inputHash)
  on conflict (project_id, operation, key) do update
    set input_hash = excluded.input_hash, answer = null, created_at = now()
    where stored.created_at < now() - make_interval(hours => ${replayHours})
  returning true as claimed`;

const settleKey = `update idempotency_keys set answer = :answer where ${isClaim}`;

/** Triggers have put what the transaction replaced into its setting (migration 0068). */
const insertAuditRow = `
  insert into audit_log
    (project_id, id, key_id, operation, request_id, input_hash, output_hash, resource_id, summary, former)
  values (:projectId, :id, :keyId, :operation, :requestId, :inputHash, :outputHash, :resourceId, :summary,
    cast('[' || coalesce(current_setting('parley.former_values', true), '') || ']' as json))`;

/** The results that idempotency keys of a project have stored. */
export class StoredResults {
  protected readonly sql: RunSql;
  protected readonly projectId: string;

  constructor(sql: RunSql, projectId: string) {
    this.sql = sql;
    this.projectId = projectId;
  }

  /** What a key has stored in the last 24 hours. */
  async find(claim: Claim): Promise<StoredResult | undefined> {
    const { projectId } = this;
    const { rows } = await this.sql(findResult, { ...storedClaim(claim), projectId });
    const [row] = rows as StoredResultRow[];
    return row && { inputHash: row.input_hash, value: row.answer };
  }
}

/** The records of a change: its audit row and, for a retry, its result. */
export class LedgerStore extends StoredResults {
  readonly #transaction: Transaction;

  constructor(transaction: Transaction, projectId: string) {
    super(sqlIn(transaction), projectId);
    this.#transaction = transaction;
  }

  /** Claims a key for this transaction, after any other holder. Returns what the key has stored already. */
  async claim(claim: Claim, inputHash: string): Promise<StoredResult | undefined> {
    const { projectId } = this;
    const { rows } = await this.sql(claimKey, { ...storedClaim(claim), projectId, inputHash });
    return rows.length > 0 ? undefined : this.find(claim);
  }

  /** Stores the result of a claimed key. */
  settle(claim: Claim, answer: string): void {
    const { projectId } = this;
    this.#transaction.send(boundSql(settleKey, { ...storedClaim(claim), projectId, answer }));
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
