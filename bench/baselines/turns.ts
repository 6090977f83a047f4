// The limit of a turn of a chat: one row read and written in a transaction, without any checks.
import { patientQuestion } from '../../test/designs/patient-desk.ts';
import { inTransaction } from './database.ts';
import { serve, textOf } from './server.ts';

const selectSession = {
  name: 'select_session',
  text: 'select state, played from sessions where id = $1 for no key update',
};

const updateSession = {
  name: 'update_session',
  text: 'update sessions set state = cast($2 as json), played = $3, active_at = now() where id = $1',
};

/** The events that Parley streams. */
const events = [
  ['step', { step: 'menu' }],
  ['say', { text: patientQuestion, step: 'menu' }],
] as const;

serve(async (request, response) => {
  const [, id] = /^\/v1\/web-sessions\/([0-9a-z]+)\/messages$/.exec(request.url ?? '') ?? [];
  JSON.parse(await textOf(request));
  const turn = await inTransaction(async (client) => {
    const { rows } = await client.query<{ state: unknown; played: number }>({
      ...selectSession,
      values: [id],
    });
    const { state, played = 0 } = rows[0] ?? {};
    await client.query({ ...updateSession, values: [id, JSON.stringify(state), played + 1] });
    return played;
  });
  const streamed = [...events, ['done', { turn }] as const];
  const body = streamed.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');
  const headers = { 'content-type': 'text/event-stream', 'content-length': Buffer.byteLength(body) };
  response.writeHead(200, headers).end(body);
});
