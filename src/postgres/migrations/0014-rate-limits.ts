import type { Knex } from 'knex';

/**
 * What each key and project has taken of its rate limits in the current window. Unlogged, because a crash may forget it, and
 * because a change of it should not wait for the disk.
 */
const windows = `
  create unlogged table rate_limit_windows (
    project_id text not null references projects on delete cascade,
    policy text not null,
    id text not null,
    began_at timestamptz not null,
    taken integer not null,
    primary key (project_id, policy, id)
  );
  comment on table rate_limit_windows is 'made anew';
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(windows);
}
