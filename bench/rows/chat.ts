import { chatRequest } from '../chat-request.ts';
import { type HttpRow, httpRow } from '../http-row.ts';
import { startPortkey } from '../peers.ts';

const chat = {
  baseline: 'pipe.ts',
  upstream: true,
  limit: 'bare node:http pipe to the same upstream',
  unit: 'req/s',
  connections: 32,
  figure: 'requestsPerSecond',
  better: 'higher',
  // Parley requests usage, so the upstream's chunks contain an empty `usage`.
  compare: (_body, text) => text.replaceAll(',"usage":null', ''),
  sameLength: true,
} satisfies Partial<HttpRow>;

const json = {
  ...chat,
  name: 'chat-json',
  path: 'POST /v1/chat/completions, JSON, 32 connections',
  request: ({ key }) => chatRequest(key, false),
} satisfies Partial<HttpRow>;

const stream = {
  ...chat,
  name: 'chat-stream',
  path: 'POST /v1/chat/completions, SSE of 200 chunks, 32 connections',
  request: ({ key }) => chatRequest(key, true),
  // The response is split differently each time, and the length includes the framing of the pieces.
  sameLength: false,
} satisfies Partial<HttpRow>;

const portkey = { baseline: startPortkey, limit: 'Portkey AI Gateway 1.15.2' };

export const chatJson = httpRow({ ...json, reach: 0.8, floor: 0.7 });
export const chatStream = httpRow({ ...stream, reach: 0.95, floor: 0.85 });
export const chatJsonPortkey = httpRow({ ...json, ...portkey, name: 'chat-json-portkey', reach: 4 });
export const chatStreamPortkey = httpRow({ ...stream, ...portkey, name: 'chat-stream-portkey', reach: 1.2 });
