import { type HttpRow, httpRow } from '../http-row.ts';

const getFlow = {
  baseline: 'http.ts',
  limit: 'bare node:http + pg.Pool, named statement, cached key',
  request: ({ flowId, key }) => ({
    method: 'GET',
    path: `/v1/flows/${flowId}`,
    headers: { authorization: `Bearer ${key}` },
  }),
  compare: (_body, text) => text,
  sameLength: true,
} satisfies Partial<HttpRow>;

export const getFlowThroughput = httpRow({
  ...getFlow,
  name: 'get-flow',
  path: 'GET /v1/flows/{id} with key check, 32 connections',
  unit: 'req/s',
  connections: 32,
  figure: 'requestsPerSecond',
  better: 'higher',
  reach: 1.2,
  floor: 0.9,
});

export const getFlowLatency = httpRow({
  ...getFlow,
  name: 'get-flow-latency',
  path: 'GET /v1/flows/{id} with key check, 1 connection',
  unit: 'ms p50',
  connections: 1,
  figure: 'p50',
  better: 'lower',
  reach: 1.15,
  floor: 1.3,
});
