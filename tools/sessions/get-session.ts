import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { sessionRecordOf, shortenedSession } from '../../src/resources/sessions/record.ts';
import { SessionRecord } from '../../src/resources/sessions/schema.ts';

export const getSession = defineTool({
  name: 'get_session',
  title: 'Get a session',
  description: 'Returns the transcript of a session, its path and why, requests and variables.',
  rest: { method: 'GET', path: '/v1/sessions/{sessionId}', omits: ['untrusted'] },
  input: v.strictObject({ sessionId: ref('session') }),
  output: SessionRecord,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true, transaction: 'snapshot' },
  mcp: {
    outputSchema: false,
    shorten: (session) => shortenedSession(session as SessionRecord),
  },
  handler: async ({ stores }, { sessionId }) =>
    sessionRecordOf(found(await stores.sessionRecords.find(sessionId), 'session', sessionId)),
});
