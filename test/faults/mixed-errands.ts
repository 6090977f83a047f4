import { wav } from '../helpers/wav.ts';
import type { Tenant } from '../helpers/world.ts';
import type { Connection } from './mixed-connection.ts';

const mebibyte = 1024 * 1024;
const boundary = 'the-boundary-of-a-client';
const chat = {
  model: 'bench',
  messages: [
    { role: 'system', content: 'You answer the phone of a dental practice.' },
    { role: 'user', content: 'Good morning. When are you open this week?' },
  ],
};
/** Two minutes of a call, in the form that OpenAI's clients send. */
const recording = Buffer.concat([
  Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="call.wav"\r\nContent-Type: audio/wav\r\n\r\n`,
  ),
  wav(2 * mebibyte),
  Buffer.from(
    `\r\n--${boundary}\r\nContent-Disposition: form-data; name="model"\r\n\r\nbench\r\n--${boundary}--\r\n`,
  ),
]);

/** Text of so many bytes, a section for each kibibyte. No two sections are the same. */
function manual(bytes: number): string {
  const section = (number: number) =>
    `## Room ${number}\n\n${`The room ${number} has a window, and guest ${number * 7} has the key. `.repeat(15)}\n\n`;
  let text = '';
  for (let number = 1; text.length < bytes; number++) text += section(number);
  return text.slice(0, bytes);
}

const storedFile = manual(4 * mebibyte);
const indexedFile = manual(mebibyte / 2);

/** What a client of the mixed load does besides its designs and flows. */
export interface Errands {
  /** Sends a message of a visitor, and lets the model answer at once and as a stream. */
  chat(): Promise<void>;
  /** Searches the project and its knowledge, over REST and MCP. */
  search(): Promise<void>;
  /** Stores a file of 4 MiB, over REST and MCP in turn, has one of 512 KiB indexed, and transcribes 2 MiB of sound. */
  upload(): Promise<void>;
}

export async function openErrands(
  { rest, send, mcp }: Connection,
  { projectId }: Tenant,
  webAgentId: string,
): Promise<Errands> {
  const { id: knowledgeBaseId } = await rest('POST', `/v1/projects/${projectId}/knowledge-bases`, {
    name: 'Manuals',
  });
  const sources = `/v1/knowledge/${knowledgeBaseId}/sources`;
  let [messages, uploads] = [0, 0];

  const session = JSON.parse(await send('POST', '/v1/web-sessions', { webAgentId })) as {
    roomUrl: string;
    token: string;
  };
  const says = (message: object) =>
    send('POST', `${new URL(session.roomUrl).pathname}/messages`, message, {
      authorization: `Bearer ${session.token}`,
    });
  await says({ start: true });

  const file = (content: string, indexing: 'triggered' | 'deferred') => ({
    type: 'file',
    name: 'Manual',
    fileName: 'manual.md',
    mimeType: 'text/markdown',
    indexing,
    contentBase64: Buffer.from(content).toString('base64'),
  });
  const removeOldSources = async () => {
    const found = JSON.parse(await send('GET', sources)) as { sources: readonly { id: string }[] };
    for (const { id } of found.sources) await send('DELETE', `${sources}/${id}`);
  };
  return {
    async chat() {
      await says({ text: 'Something else, please.', messageId: `m${++messages}` });
      await send('POST', '/v1/chat/completions', chat);
      await send('POST', '/v1/chat/completions', { ...chat, stream: true });
    },
    async search() {
      const query = { query: 'Which guest has the key to the room?' };
      await send('GET', `/v1/projects/${projectId}/search?text=opening+hours`);
      await send('POST', `/v1/knowledge/${knowledgeBaseId}/query`, query);
      await mcp('tools/call', { name: 'search_project', arguments: { projectId, text: 'guest' } });
      await mcp('tools/call', { name: 'query_knowledge', arguments: { knowledgeBaseId, ...query } });
    },
    async upload() {
      await removeOldSources();
      const stored = file(storedFile, 'deferred');
      if (++uploads % 2 === 0) await send('POST', sources, stored);
      else
        await mcp('tools/call', { name: 'add_knowledge_source', arguments: { knowledgeBaseId, ...stored } });
      await send('POST', sources, file(indexedFile, 'triggered'));
      await send('POST', '/v1/audio/transcriptions', recording, {
        'content-type': `multipart/form-data; boundary=${boundary}`,
      });
    },
  };
}
