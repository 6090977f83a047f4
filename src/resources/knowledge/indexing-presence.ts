import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { runSql } from '../../postgres/sql.ts';

/** Seconds between two signs of life of a worker, at most. */
export const presenceInterval = 10;

/** SQL: true for a worker that has given a sign of life lately. */
export const isRunning = `seen_at > now() - make_interval(secs => ${2 * presenceInterval})`;

/** The rows of workers that were killed go too. */
const saySeen = `
  with gone as (delete from indexing_workers where id <> :id and not (${isRunning}))
  insert into indexing_workers (id, seen_at) values (:id, now())
  on conflict (id) do update set seen_at = excluded.seen_at`;

/** The sign of life of one worker. */
export interface WorkerPresence {
  /** Says that the worker runs, so that calls know whether waiting for one is in vain. */
  record(): Promise<void>;
  /** Says that it has stopped. */
  end(): Promise<void>;
}

export function workerPresence(knex: Knex): WorkerPresence {
  const id = randomUUID();
  return {
    async record() {
      await runSql(knex, saySeen, { id });
    },
    async end() {
      await runSql(knex, 'delete from indexing_workers where id = :id', { id });
    },
  };
}
