import { headersWith, writeRows } from './write-row.ts';

/** Returns the key without its text and the parts of it that each call makes anew. */
function lasting(body: unknown) {
  const { id: _id, key: _key, keyPrefix: _prefix, last4: _last4, ...rest } = body as Record<string, unknown>;
  return rest;
}

export const mintKey = writeRows({
  name: 'mint-key',
  path: 'POST /v1/projects/{id}/keys, 32 connections',
  statements: 'BEGIN, status, insert, audit row, COMMIT',
  baseline: 'http.ts',
  connections: 32,
  request: ({ projectId, key }) => ({
    method: 'POST',
    path: `/v1/projects/${projectId}/keys`,
    headers: headersWith(key),
    body: JSON.stringify({ keyType: 'publishable', name: 'Website', scope: 'service_app' }),
  }),
  compare: lasting,
  sameLength: true,
});
