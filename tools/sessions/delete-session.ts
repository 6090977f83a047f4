import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { Cuid, ref } from '../../src/operation/reference.ts';

export const deleteSession = defineTool({
  name: 'delete_session',
  title: 'Delete a session',
  description: 'Deletes what was said in a session for good, and ends it. Statistics still count it.',
  rest: { method: 'DELETE', path: '/v1/sessions/{sessionId}' },
  input: v.strictObject({ sessionId: ref('session') }),
  output: v.strictObject({ id: Cuid, deleted: v.literal(true) }),
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: false },
  async consequences({ stores }, { sessionId }) {
    const session = await stores.sessionRecords.find(sessionId);
    return session && 'Delete what was said in this session, for good? Statistics still count it.';
  },
  async handler({ stores }, { sessionId }) {
    found((await stores.sessionRecords.remove(sessionId)) || undefined, 'session', sessionId);
    return { id: sessionId, deleted: true as const };
  },
});
