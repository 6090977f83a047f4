import type pg from 'pg';

/** The events of `fillUsage` are spread over so many days before now. */
export const eventDays = 30;

/** Stores ten kinds of use, and their sums as a flush computes them. */
const fill = [
  `insert into usage_events
   select :projectId, now() - interval '${eventDays} days' + i * (interval '${eventDays} days' / :events),
     md5(i::text)::uuid, kind[1], kind[2], kind[3], 1 + i % 997 + (i % 4) * 0.25, false
   from generate_series(0, :events::int - 1) i
   cross join lateral (select (array[
     ['llm', 'realtime', 'tokens_in'], ['llm', 'realtime', 'tokens_out'], ['llm', 'realtime', 'requests'],
     ['llm', 'batch', 'tokens_in'], ['llm', 'batch', 'tokens_out'], ['tts', 'realtime', 'chars'],
     ['tts', 'realtime', 'requests'], ['stt', 'realtime', 'seconds'], ['stt', 'realtime', 'requests'],
     ['kb', 'none', 'requests']
   ])[1 + i % 10 : 1 + i % 10] as rows) drawn
   cross join lateral (select array[rows[1][1], rows[1][2], rows[1][3]] as kind) of`,
  `insert into usage_sums
   select project_id, minutes, date_bin(minutes * interval '1 minute', occurred_at, timestamptz 'epoch'),
     service, mode, metric, sum(quantity)
   from usage_events cross join (values (5), (60)) as lengths (minutes)
   where project_id = :projectId
   group by 1, 2, 3, 4, 5, 6`,
];

/** Gives a project so many usage events with their sums. */
export async function fillUsage(client: pg.Client, projectId: string, events: number): Promise<void> {
  for (const sql of fill)
    await client.query(sql.replaceAll(':projectId', `'${projectId}'`).replaceAll(':events', String(events)));
  await client.query('vacuum (analyze) usage_events, usage_sums');
}
