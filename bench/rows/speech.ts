import { httpRow } from '../http-row.ts';

export const speech = httpRow({
  name: 'speech',
  path: 'POST /v1/audio/speech, 1 MB, 8 connections',
  baseline: 'pipe.ts',
  upstream: true,
  limit: 'bare node:http pipe to the same upstream',
  unit: 'req/s',
  connections: 8,
  figure: 'requestsPerSecond',
  better: 'higher',
  request: ({ key }) => ({
    method: 'POST',
    path: '/v1/audio/speech',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'bench',
      input: 'The practice is open from eight to five.',
      voice: 'alloy',
    }),
  }),
  compare: (_body, text) => text.length,
  sameLength: false,
  reach: 1,
  floor: 0.9,
});
