import { flowSchema, lasting, newFlow } from '../new-flow.ts';
import { headersWith, writeRows } from './write-row.ts';

/** Each connection has its own flow, so that it does not wait for the others. */
export const createFlowVersion = writeRows({
  name: 'create-flow-version',
  path: 'POST /v1/flows/{id}/versions, 32 connections',
  statements: 'BEGIN, status, update of the counter, insert, audit row, COMMIT',
  baseline: 'http.ts',
  connections: 32,
  async request({ projectId, key }, create) {
    const flowId = await create(`/v1/projects/${projectId}/flows`, newFlow);
    return {
      method: 'POST',
      path: `/v1/flows/${flowId}/versions`,
      headers: headersWith(key),
      body: JSON.stringify({ flowSchema }),
    };
  },
  compare(body) {
    const { version: _version, tag: _tag, ...rest } = lasting(body) as Record<string, unknown>;
    return rest;
  },
  // The version number may gain a digit.
  sameLength: false,
});

/** Each connection activates two versions of its own flow in turn, so that every call changes something. */
export const activateFlowVersion = writeRows({
  name: 'activate-flow-version',
  path: 'POST /v1/flow-versions/{id}/activate, the other version each time, 32 connections',
  statements: 'BEGIN, status, lock of the flow, 2 updates, audit row, COMMIT',
  baseline: 'http.ts',
  connections: 32,
  async request({ projectId, key }, create) {
    const flowId = await create(`/v1/projects/${projectId}/flows`, newFlow);
    const versions = [
      await create(`/v1/flows/${flowId}/versions`, { flowSchema }),
      await create(`/v1/flows/${flowId}/versions`, { flowSchema }),
    ];
    return versions.map((id) => ({
      method: 'POST' as const,
      path: `/v1/flow-versions/${id}/activate`,
      headers: { authorization: `Bearer ${key}` },
    }));
  },
  compare: lasting,
  sameLength: true,
});
