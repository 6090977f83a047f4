import type { Knex } from 'knex';
import { runSql } from '../../postgres/sql.ts';

/** Milliseconds. */
const flushInterval = 5_000;

/**
 * `greatest`, because the later of two replicas to write may have the earlier use. Rows are locked in order, so that
 * two replicas cannot block each other.
 */
const setLastUsed = `
  update api_keys as key set last_used_at = greatest(key.last_used_at, used.at)
  from (
    select project_id, id, given.at
    from api_keys
    join unnest(cast(:projectIds as text[]), cast(:keyIds as text[]), cast(:times as timestamptz[]))
      as given (project_id, id, at) using (project_id, id)
    order by project_id, id for no key update of api_keys
  ) used
  where key.project_id = used.project_id and key.id = used.id`;

/**
 * Remembers when keys were used and writes that in one update every five seconds, so that a request costs no write.
 * A process that is killed loses at most five seconds of `lastUsedAt`.
 */
export class KeyUse {
  readonly #knex: Knex;
  readonly #failed: (error: unknown) => void;
  #used = new Map<string, { projectId: string; at: number }>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(knex: Knex, failed: (error: unknown) => void) {
    this.#knex = knex;
    this.#failed = failed;
  }

  /** Records that a key is used now. */
  note(projectId: string, keyId: string): void {
    const known = this.#used.get(keyId);
    if (known) known.at = Date.now();
    else this.#used.set(keyId, { projectId, at: Date.now() });
    this.#timer ??= setTimeout(() => this.#flush(), flushInterval).unref();
  }

  /** Writes what is not written yet. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#flush();
    await this.#writing;
  }

  #flush(): void {
    this.#timer = undefined;
    const used = [...this.#used];
    this.#used = new Map();
    if (used.length === 0) return;
    this.#writing = this.#writing.then(() => this.#write(used)).catch(this.#failed);
  }

  async #write(used: readonly (readonly [string, { projectId: string; at: number }])[]): Promise<void> {
    await runSql(this.#knex, setLastUsed, {
      projectIds: used.map(([, { projectId }]) => projectId),
      keyIds: used.map(([keyId]) => keyId),
      times: used.map(([, { at }]) => new Date(at).toISOString()),
    });
  }
}
