import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { writeUsage } from '../../resources/usage/events.ts';
import type { Use } from '../../services/models/use.ts';

const day = 24 * 3_600_000;

/** The usage of one day. */
const uses: readonly Use[] = [
  { service: 'llm', mode: 'realtime', metric: 'requests', quantity: 12 },
  { service: 'llm', mode: 'realtime', metric: 'tokens_in', quantity: 9_600 },
  { service: 'llm', mode: 'realtime', metric: 'tokens_out', quantity: 1_150 },
  { service: 'stt', mode: 'realtime', metric: 'seconds', quantity: 184.5 },
  { service: 'tts', mode: 'realtime', metric: 'chars', quantity: 2_300 },
  { service: 'voice_minutes', mode: null, metric: 'minutes', quantity: 6.25 },
];

/** Inserts the same usage for each of the seven days before today, so that the demo's reports are not empty. */
export async function insertMadeUpUsage(trx: Knex, projectId: string): Promise<void> {
  const today = Math.floor(Date.now() / day) * day;
  const mornings = Array.from({ length: 7 }, (_, ago) => today - (ago + 1) * day + (9 * day) / 24);
  const events = mornings.flatMap((occurredAt) =>
    uses.map((use) => ({ ...use, projectId, id: randomUUID(), occurredAt })),
  );
  await writeUsage(trx, events);
}
