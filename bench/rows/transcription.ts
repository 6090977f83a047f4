import { httpRow } from '../http-row.ts';

/** Size of the recording in bytes: two minutes of a call. */
const recording = 2_000_000;
const boundary = 'the-boundary-of-a-client';

const part = (name: string, more: string, content: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;

/** The form has `model` after the recording, as OpenAI's clients often send it. */
const form = `${part(
  'file',
  '; filename="call.mp3"\r\nContent-Type: audio/mpeg',
  'recording '.repeat(recording / 10),
)}${part('model', '', 'bench')}--${boundary}--\r\n`;

export const transcription = httpRow({
  name: 'transcription',
  path: 'POST /v1/audio/transcriptions, 2 MB, 8 connections',
  baseline: 'pipe.ts',
  upstream: true,
  limit: 'bare node:http pipe to the same upstream',
  unit: 'req/s',
  connections: 8,
  warmUpConnections: 8,
  figure: 'requestsPerSecond',
  better: 'higher',
  compare: (_body, text) => text,
  sameLength: true,
  request: ({ key }) => ({
    method: 'POST',
    path: '/v1/audio/transcriptions',
    headers: { authorization: `Bearer ${key}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: form,
  }),
  reach: 0.95,
  floor: 0.85,
});
