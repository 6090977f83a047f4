import { httpRow } from '../http-row.ts';

/** Returns the design without the service's findings, and the members that are equal in every version. */
function lasting(body: unknown) {
  const { design, isActive } = body as { design: Record<string, unknown>; isActive: boolean };
  const { compliance: _compliance, ...sent } = design;
  return { isActive, design: sent };
}

export const writeDesign = httpRow({
  name: 'write-design',
  path: 'POST /v1/conversations/{id}/versions (200 steps, every check), 1 connection',
  limit: 'bare node:http + pg, JSON.parse, 1 insert',
  baseline: 'http.ts',
  unit: 'ms p50',
  connections: 1,
  // Writes to one conversation run one after another.
  warmUpConnections: 2,
  figure: 'p50',
  better: 'lower',
  reach: 3,
  floor: 5,
  request: ({ conversationId, design, key }) => ({
    method: 'POST',
    path: `/v1/conversations/${conversationId}/versions`,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ design }),
  }),
  compare: lasting,
  // The version number may gain a digit.
  sameLength: false,
});
