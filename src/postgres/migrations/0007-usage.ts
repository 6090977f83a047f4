import type { Knex } from 'knex';

/**
 * Quantities are `numeric`, because their sums are exact in any order: both reports and every replica agree to the last
 * digit. `mode` is `none` instead of null, because nulls in a key are never equal. The key of events detects a flush that
 * is retried, and serves the range of a report. Events have no foreign key to their project, because Postgres would check
 * it row by row; the sums, which the same transaction writes, have one. There are sums of hours, and of five minutes for
 * the ends of a range. Most writes update the newest sums; the fill factor leaves room for that on their page.
 */
const tables = `
  create table usage_events (
    project_id text collate "C" not null,
    occurred_at timestamptz(3) not null,
    id uuid not null,
    service text collate "C" not null,
    mode text collate "C" not null,
    metric text collate "C" not null,
    quantity numeric not null,
    estimated boolean not null,
    primary key (project_id, occurred_at, id)
  );

  create table usage_sums (
    project_id text collate "C" not null references projects,
    minutes smallint not null check (minutes in (5, 60)),
    start timestamptz(0) not null,
    service text collate "C" not null
      check (service in ('tts', 'stt', 's2s', 'llm', 'kb', 'voice_minutes')),
    mode text collate "C" not null check (mode in ('realtime', 'batch', 'playground', 'none')),
    metric text collate "C" not null
      check (metric in ('seconds', 'tokens_in', 'tokens_out', 'chars', 'minutes', 'requests')),
    quantity numeric not null,
    primary key (project_id, minutes, start, service, mode, metric)
  ) with (fillfactor = 80);
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(tables);
}
