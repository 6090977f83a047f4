import type { Knex } from 'knex';

/**
 * Quantities are `numeric`: their sums are exact in any order, so that both reports, every replica and an hour's sum
 * less a part of it agree to the last digit. `mode` is never null, since null is unlike null in a key: `none` stands
 * for it. The key of events is what a retried flush is told by and the range that a report reads, in one index;
 * events name no project by a foreign key, which would cost as much as all the rest of a row: the hour's sum, which
 * is written with them, names it. Most writes of a sum are updates of the current hour, which find room on its page.
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

  create table usage_hours (
    project_id text collate "C" not null references projects,
    hour timestamptz(0) not null,
    service text collate "C" not null
      check (service in ('tts', 'stt', 's2s', 'llm', 'kb', 'voice_minutes')),
    mode text collate "C" not null check (mode in ('realtime', 'batch', 'playground', 'none')),
    metric text collate "C" not null
      check (metric in ('seconds', 'tokens_in', 'tokens_out', 'chars', 'minutes', 'requests')),
    quantity numeric not null,
    primary key (project_id, hour, service, mode, metric)
  ) with (fillfactor = 80);
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(tables);
}

export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
