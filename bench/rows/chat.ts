import { chatRequest } from '../chat-request.ts';
import { type HttpRow, httpRow } from '../http-row.ts';

// A peer, @portkey-ai/gateway, has its place beside the bare pipe: the table then has a second limit.
const chat = {
  baseline: 'pipe.ts',
  upstream: true,
  limit: 'bare node:http pipe to the same upstream',
  unit: 'req/s',
  connections: 32,
  figure: 'requestsPerSecond',
  better: 'higher',
  // The upstream says that there is no usage yet, since Parley asks it for that.
  compare: (_body, text) => text.replaceAll(',"usage":null', ''),
  sameLength: true,
} satisfies Partial<HttpRow>;

export const chatJson = httpRow({
  ...chat,
  name: 'chat-json',
  path: 'POST /v1/chat/completions, JSON, 32 connections',
  request: ({ key }) => chatRequest(key, false),
  reach: 0.8,
  floor: 0.7,
});

export const chatStream = httpRow({
  ...chat,
  name: 'chat-stream',
  path: 'POST /v1/chat/completions, SSE of 200 chunks, 32 connections',
  request: ({ key }) => chatRequest(key, true),
  // Its answers are cut differently each time, and the frames of the pieces count.
  sameLength: false,
  reach: 0.95,
  floor: 0.85,
});
