import { type HttpRow, httpRow } from '../http-row.ts';
import { lasting, newFlow } from '../new-flow.ts';
import { headersWith, inManyProjects } from './write-row.ts';

const row: HttpRow = {
  name: 'create-flow',
  path: 'POST /v1/projects/{id}/flows (flow and version), 32 connections',
  limit: 'bare node:http + pg, BEGIN, 2 inserts, COMMIT',
  baseline: 'http.ts',
  unit: 'req/s',
  connections: 32,
  figure: 'requestsPerSecond',
  better: 'higher',
  reach: 0.8,
  floor: 0.6,
  cpuAtMost: 1.8,
  request: ({ projectId, key }) => ({
    method: 'POST',
    path: `/v1/projects/${projectId}/flows`,
    headers: headersWith(key),
    body: JSON.stringify(newFlow),
  }),
  compare: lasting,
  sameLength: true,
};

export const createFlow = [httpRow(row), httpRow(inManyProjects(row))];
