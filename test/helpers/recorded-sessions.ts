import { newId } from '../../src/platform/id.ts';
import type { SessionChannel, SessionOutcome } from '../../src/resources/sessions/store.ts';
import type { World } from './world.ts';

/** A session as the tests store it, by the names that responses use. */
export interface Recorded {
  readonly id: string;
  readonly conversationId: string;
  readonly version: number;
  readonly channel: SessionChannel;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly reason: string | null;
  readonly outcome: SessionOutcome | null;
  readonly turns: number;
  readonly lastStep: string;
  readonly fallbacks: number;
}

/** A session that a visitor left after two turns. */
export function recorded(more: Partial<Recorded> & { readonly conversationId: string }): Recorded {
  const { startedAt = Date.now() } = more;
  return {
    id: newId('session', startedAt),
    version: 1,
    channel: 'chat',
    startedAt,
    endedAt: startedAt + 60_000,
    reason: 'hungUp',
    outcome: 'abandoned',
    turns: 2,
    lastStep: 'menu',
    fallbacks: 0,
    ...more,
  };
}

/** What the visitor says in each session that is stored with texts. */
export const spoken = 'My order is 4711, and I am Ada.';

/** Stores sessions by SQL, which is faster than thousands of chats; with `texts`, each with an opening and two turns. */
export async function store(
  world: World,
  projectId: string,
  sessions: readonly Recorded[],
  texts = false,
): Promise<void> {
  const time = (at: number | null) => at && new Date(at);
  await world.rows(
    `insert into sessions (project_id, id, conversation_id, version, channel, started_at, active_at, ended_at, reason,
       outcome, turns, last_step, fallbacks, variables, state)
     select $1, id, "conversationId", version, channel, "startedAt", "startedAt", "endedAt", reason,
       outcome, turns, "lastStep", fallbacks, '{"caller": "Ada"}', case when "endedAt" is null then '{"history": "Ada"}'::json end
     from json_to_recordset($2::json) as session(id text, "conversationId" text, version bigint, channel text,
       "startedAt" timestamptz, "endedAt" timestamptz, reason text, outcome text, turns integer, "lastStep" text,
       fallbacks integer)`,
    [
      projectId,
      JSON.stringify(
        sessions.map((one) => ({ ...one, startedAt: time(one.startedAt), endedAt: time(one.endedAt) })),
      ),
    ],
  );
  if (!texts) return;
  const says = (text: string, step: string) => JSON.stringify([{ event: 'say', text, step }]);
  await world.rows(
    `insert into session_turns (project_id, session_id, number, message_id, caller_text, events, path, requests, notes,
       understood, understood_by)
     select $1, id, number, 'm' || number, case when number > 0 then $3 end, $4::json,
       '[{"at": "step", "id": "menu", "exit": "order", "why": "chosen"}, {"at": "step", "id": "menu", "exit": null, "why": null}]',
       '[{"node": "lookUp", "result": "sent", "url": "https://shop.example/?id=4711"}]', '["{{state}} has no value at menu"]',
       case when number > 0 then '[{"option": "order"}, {"answered": true, "text": "It is on its way."}]' else '[]' end::json,
       case when number > 0 then 'rule' end
     from unnest($2::text[]) as id, generate_series(0, 2) as number`,
    [projectId, sessions.map(({ id }) => id), spoken, says('Hello, I am an AI.', 'menu')],
  );
}
