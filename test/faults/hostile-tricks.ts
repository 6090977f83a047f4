import type { HostileClient, Sent, Target } from './hostile-requests.ts';
import { openDeafSockets } from './hostile-requests.ts';

/** A hostile project: its keys and what it has stored. */
export interface Hostile {
  readonly base: string;
  readonly projectId: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly origin: string;
  readonly webAgentId: string;
  /** A flow whose versions are 7.7 MiB together. */
  readonly flowId: string;
  /** Designs of 95 steps with 55 exits each (versions 1 and 2), of thousands of steps (version 3), and of thousands of questions (version 4). */
  readonly conversationId: string;
  readonly knowledgeBaseId: string;
}

/** What one client does again and again, and how many of them there are. */
export interface Trick {
  readonly name: string;
  readonly clients: number;
  once(client: HostileClient, hostile: Hostile): Promise<Sent | undefined>;
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** As many items as fit, between two texts. */
function filled(bytes: number, open: string, item: string, close: string): Buffer {
  const count = Math.floor((bytes - open.length - close.length) / (item.length + 1));
  return Buffer.from(open + `${item},`.repeat(count - 1) + item + close);
}

const message = (size: number) =>
  filled(size, '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":[', '0', ']}}');
const mcpHeaders = { accept: 'application/json, text/event-stream' };
const batchOfCalls = (conversationId: string, count: number) => {
  const issues = filled((240 * kibibyte) / count, '[', '{}', ']').toString();
  const call = (id: number) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"validate_design","arguments":{"conversationId":"${conversationId}","design":{"schemaVersion":"cd/1","entry":{"stepId":"a"},"steps":{},"variables":${issues}}}}}`;
  return `[${Array.from({ length: count }, (_, id) => call(id)).join()}]`;
};
const publishable = ({ base, publishableKey }: Hostile): Target => ({ base, key: publishableKey });
const secret = ({ base, secretKey }: Hostile): Target => ({ base, key: secretKey });
/** Reads a path with the secret key. */
const reads =
  (pathOf: (hostile: Hostile) => string): Trick['once'] =>
  (client, hostile) =>
    client.send(secret(hostile), 'GET', pathOf(hostile));
const form = (bytes: number) =>
  Buffer.concat([
    Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'),
    Buffer.alloc(bytes, 'a'),
    Buffer.from('\r\n--b--\r\n'),
  ]);

/** A PCM WAV file of so many bytes, in base64. */
function recording(bytes: number): string {
  const header = Buffer.from(
    'RIFF....WAVEfmt \x10\0\0\0\x01\0\x01\0\x80>\0\0\0}\0\0\x02\0\x10\0data....',
    'latin1',
  );
  header.writeUInt32LE(bytes - 8, 4);
  header.writeUInt32LE(bytes - header.length, 40);
  return Buffer.concat([header, Buffer.alloc(bytes - header.length, 'audio')]).toString('base64');
}
const callOf = (name: string, input: object) =>
  Buffer.from(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  );
const file = {
  type: 'file',
  name: 'Manual',
  fileName: 'manual.txt',
  mimeType: 'text/plain',
  indexing: 'deferred',
  contentBase64: Buffer.alloc(24 * mebibyte, 'A manual. ').toString('base64'),
};
// 25 MiB are the limit of the operation.
const voice = {
  name: 'A',
  gender: 'female',
  referenceTranscript: 'A',
  referenceAudioBase64: recording(18 * mebibyte),
};
const knowledgeCalls = new Map<string, Buffer>();
/** The call that adds the file to a knowledge base. Made once, because making it takes long. */
function knowledgeCall(knowledgeBaseId: string): Buffer {
  const known = knowledgeCalls.get(knowledgeBaseId);
  if (known) return known;
  const made = callOf('add_knowledge_source', { knowledgeBaseId, ...file });
  knowledgeCalls.set(knowledgeBaseId, made);
  return made;
}

const big = {
  file: Buffer.from(JSON.stringify(file)),
  indexedFile: Buffer.from(JSON.stringify({ ...file, indexing: 'triggered' })),
  voice: Buffer.from(JSON.stringify(voice)),
  voiceCall: callOf('clone_voice', voice),
  transcriptionCall: callOf('create_transcription', { file: voice.referenceAudioBase64 }),
  message: message(34 * mebibyte),
  chat: filled(24 * mebibyte, '{"model":"auto","messages":[', '{}', ']}'),
  smallChat: filled(mebibyte, '{"model":"auto","messages":[', '{}', ']}'),
  languages: filled(
    4 * mebibyte,
    '{"name":"A","referenceTranscript":"a","referenceAudioBase64":"a","languages":[',
    '{}',
    ']}',
  ),
  variables: filled(
    240 * kibibyte,
    '{"design":{"schemaVersion":"cd/1","entry":{"stepId":"a"},"steps":{},"variables":[',
    '{}',
    ']}}',
  ),
  flow: filled(240 * kibibyte, '{"name":"A","type":"graph","flowSchema":{"nodes":[', '{}', ']}}'),
  // Each operation doubles a value.
  patch: filled(
    200 * kibibyte,
    '{"patch":[{"op":"add","path":"/variables","value":[]},',
    '{"op":"copy","from":"/steps","path":"/variables/-"}',
    ']}',
  ),
  upload: form(24 * mebibyte),
  simulation: Buffer.from(
    JSON.stringify({
      version: 4,
      caller: { script: Array.from({ length: 100 }, () => 'a'.repeat(2000)) },
      expect: Array.from({ length: 50 }, () => ({ says: '/(\\pL{1,6}){20}x/' })),
    }),
  ),
};

/** A file as base64, in each way that takes it. */
export const fileUploads: readonly Trick[] = [
  {
    name: 'files of 24 MiB as base64 for knowledge',
    clients: 4,
    once: (client, hostile) =>
      client.send(secret(hostile), 'POST', `/v1/knowledge/${hostile.knowledgeBaseId}/sources`, big.file),
  },
  {
    name: 'files of 24 MiB as base64 for knowledge, indexed',
    clients: 4,
    once: (client, hostile) =>
      client.send(
        secret(hostile),
        'POST',
        `/v1/knowledge/${hostile.knowledgeBaseId}/sources`,
        big.indexedFile,
      ),
  },
  {
    name: '/mcp, files of 24 MiB as base64 for knowledge',
    clients: 4,
    once: (client, hostile) =>
      client.send(secret(hostile), 'POST', '/mcp', knowledgeCall(hostile.knowledgeBaseId), mcpHeaders),
  },
  {
    name: 'voices of 18 MiB as base64',
    clients: 4,
    once: (client, hostile) => client.send(secret(hostile), 'POST', '/v1/voices', big.voice),
  },
  {
    name: '/mcp, voices of 18 MiB as base64',
    clients: 4,
    once: (client, hostile) => client.send(secret(hostile), 'POST', '/mcp', big.voiceCall, mcpHeaders),
  },
  {
    name: '/mcp, recordings of 18 MiB as base64',
    clients: 4,
    once: (client, hostile) =>
      client.send(secret(hostile), 'POST', '/mcp', big.transcriptionCall, mcpHeaders),
  },
];

/** The tricks that were seen to work, and others. */
export const tricks: readonly Trick[] = [
  {
    name: '/mcp, 34 MiB of zeros, publishable key',
    clients: 2,
    once: (client, hostile) => client.send(publishable(hostile), 'POST', '/mcp', big.message, mcpHeaders),
  },
  {
    name: '/mcp, 34 MiB of zeros, secret key',
    clients: 2,
    once: (client, hostile) => client.send(secret(hostile), 'POST', '/mcp', big.message, mcpHeaders),
  },
  {
    name: '24 MiB of empty chat messages',
    clients: 2,
    once: (client, hostile) => client.send(secret(hostile), 'POST', '/v1/chat/completions', big.chat),
  },
  {
    name: '1 MiB of empty chat messages',
    clients: 10,
    once: (client, hostile) => client.send(secret(hostile), 'POST', '/v1/chat/completions', big.smallChat),
  },
  {
    name: 'a voice with 4 MiB of wrong languages',
    clients: 4,
    once: (client, hostile) => client.send(secret(hostile), 'POST', '/v1/voices', big.languages),
  },
  {
    name: 'validate: 240 KiB of wrong variables',
    clients: 20,
    once: (client, hostile) =>
      client.send(
        secret(hostile),
        'POST',
        `/v1/conversations/${hostile.conversationId}/designs/validate`,
        big.variables,
      ),
  },
  {
    name: 'edit: 240 KiB of wrong variables',
    clients: 20,
    once: (client, hostile) =>
      client.send(
        secret(hostile),
        'PATCH',
        `/v1/conversations/${hostile.conversationId}/versions/1/design`,
        big.variables,
      ),
  },
  {
    name: 'create_flow: 240 KiB of wrong nodes',
    clients: 20,
    once: (client, hostile) =>
      client.send(secret(hostile), 'POST', `/v1/projects/${hostile.projectId}/flows`, big.flow),
  },
  {
    name: 'a JSON Patch that copies the design thousands of times',
    clients: 4,
    once: (client, hostile) =>
      client.send(
        secret(hostile),
        'PATCH',
        `/v1/conversations/${hostile.conversationId}/versions/1/design`,
        big.patch,
      ),
  },
  {
    name: '/mcp, batches of 20 invalid calls',
    clients: 4,
    once: (client, hostile) =>
      client.send(secret(hostile), 'POST', '/mcp', batchOfCalls(hostile.conversationId, 20), mcpHeaders),
  },
  {
    name: 'a response of 7.7 MiB that is not read',
    clients: 4,
    async once(_, hostile) {
      const { base, secretKey, flowId } = hostile;
      const ask = `GET /v1/flows/${flowId}/versions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${secretKey}\r\n\r\n`;
      const close = openDeafSockets({ base }, 15, ask);
      await new Promise((resolve) => setTimeout(resolve, 2000));
      close();
      return undefined;
    },
  },
  {
    name: 'a response of 7.7 MiB that is read',
    clients: 8,
    once: reads((hostile) => `/v1/flows/${hostile.flowId}/versions`),
  },
  {
    name: 'uploads of 24 MiB',
    clients: 16,
    once: (client, hostile) =>
      client.send(secret(hostile), 'POST', '/v1/audio/transcriptions', big.upload, {
        'content-type': 'multipart/form-data; boundary=b',
      }),
  },
  {
    name: '200 pipelined requests for /openapi.json on each of 100 connections, no key',
    clients: 1,
    async once(_, { base }) {
      const close = openDeafSockets(
        { base },
        100,
        'GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(200),
      );
      await new Promise((resolve) => setTimeout(resolve, 2000));
      close();
      return undefined;
    },
  },
  {
    name: '200 pipelined reads on each of 50 connections',
    clients: 1,
    async once(_, { base, secretKey, flowId }) {
      const ask = `GET /v1/flows/${flowId} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${secretKey}\r\n\r\n`;
      const close = openDeafSockets({ base }, 50, ask.repeat(200));
      await new Promise((resolve) => setTimeout(resolve, 2000));
      close();
      return undefined;
    },
  },
  ...(['png', 'svg', 'mermaid'] as const).map((format) => ({
    name: `diagrams of 95 × 55 as ${format}`,
    clients: 10,
    once: reads(
      (hostile) =>
        `/v1/conversations/${hostile.conversationId}/versions/2/diagram?format=${format}&against=1`,
    ),
  })),
  {
    name: 'diagrams of thousands of steps as mermaid',
    clients: 10,
    once: reads((hostile) => `/v1/conversations/${hostile.conversationId}/versions/3/diagram?against=1`),
  },
  {
    name: 'comparisons of large designs',
    clients: 10,
    once: reads((hostile) => `/v1/conversations/${hostile.conversationId}/versions/2/diff?against=1`),
  },
  {
    name: 'proofs of a large design',
    clients: 10,
    once: (client, hostile) =>
      client.send(
        secret(hostile),
        'POST',
        `/v1/conversations/${hostile.conversationId}/designs/prove`,
        '{"version":2}',
      ),
  },
  {
    name: 'proposals for thousands of questions',
    clients: 10,
    once: reads((hostile) => `/v1/conversations/${hostile.conversationId}/proposed-scenarios?version=4`),
  },
  {
    name: 'simulations of 100 long turns with 50 patterns',
    clients: 10,
    once: (client, hostile) =>
      client.send(
        secret(hostile),
        'POST',
        `/v1/conversations/${hostile.conversationId}/simulations`,
        big.simulation,
      ),
  },
  {
    name: 'web sessions, publishable key',
    clients: 64,
    once: (client, hostile) =>
      client.send(
        publishable(hostile),
        'POST',
        '/v1/web-sessions',
        JSON.stringify({ webAgentId: hostile.webAgentId }),
        { origin: hostile.origin },
      ),
  },
  {
    name: 'usage of a year by the hour',
    clients: 10,
    once: reads(
      (hostile) =>
        `/v1/projects/${hostile.projectId}/usage?from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z&granularity=hour`,
    ),
  },
  {
    name: 'new flows',
    clients: 20,
    once: (client, hostile) =>
      client.send(
        secret(hostile),
        'POST',
        `/v1/projects/${hostile.projectId}/flows`,
        '{"name":"A","flowSchema":{}}',
      ),
  },
  {
    name: 'one idempotency key',
    clients: 20,
    once: (client, hostile) =>
      client.send(
        secret(hostile),
        'POST',
        `/v1/projects/${hostile.projectId}/flows`,
        '{"name":"A","flowSchema":{}}',
        { 'idempotency-key': `${Math.floor(performance.now() / 100)}` },
      ),
  },
  {
    name: 'unknown keys',
    clients: 50,
    once: (client, { base, secretKey }) =>
      client.send({ base, key: `${secretKey.slice(0, -1)}_` }, 'GET', '/v1/projects'),
  },
  {
    name: 'headers of 15 KiB and long paths',
    clients: 20,
    once: (client, hostile) =>
      client.send(secret(hostile), 'GET', `/v1/flows/${'c'.repeat(6000)}`, '', { x: 'a'.repeat(8000) }),
  },
  ...fileUploads,
];
