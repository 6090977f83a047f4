import type { Knex } from 'knex';

const flushInterval = 5_000;

/**
 * Remembers when keys were used and writes it in batches, at most one update in five seconds: a request costs
 * no write. What a kill loses is a few seconds of `lastUsedAt`.
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

  /** Notes that a key was used now. */
  note(projectId: string, keyId: string): void {
    const known = this.#used.get(keyId);
    if (known) known.at = Date.now();
    else this.#used.set(keyId, { projectId, at: Date.now() });
    this.#timer ??= setTimeout(() => this.#flush(), flushInterval).unref();
  }

  /** Writes what is left. */
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

  /**
   * `greatest`, because of two replicas the later writer may have the earlier use; locked in order, so that two
   * of them cannot block each other.
   */
  async #write(used: readonly (readonly [string, { projectId: string; at: number }])[]): Promise<void> {
    await this.#knex.raw(
      `update api_keys as key set last_used_at = greatest(key.last_used_at, used.at)
       from (
         select project_id, id, given.at
         from api_keys
         join unnest(?::text[], ?::text[], ?::timestamptz[]) as given (project_id, id, at) using (project_id, id)
         order by project_id, id for no key update of api_keys
       ) used
       where key.project_id = used.project_id and key.id = used.id`,
      [
        used.map(([, { projectId }]) => projectId),
        used.map(([keyId]) => keyId),
        used.map(([, { at }]) => new Date(at).toISOString()),
      ],
    );
  }
}
