// The upstream of the model proxy and of its limit: returns prepared responses, as fast as node:http can.
import { createServer, type ServerResponse } from 'node:http';

const content = 'The practice is open from eight to five, on Fridays until noon. '.repeat(12);
const frame = { id: 'chatcmpl-bench', created: 1_700_000_000, model: 'bench' };
const usage = { prompt_tokens: 24, completion_tokens: 200, total_tokens: 224 };
const completion = JSON.stringify({
  ...frame,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage,
});
const event = (value: unknown) => Buffer.from(`data: ${JSON.stringify(value)}\n\n`);
const chunkOf = (choices: unknown[], more: object) =>
  event({ ...frame, object: 'chat.completion.chunk', choices, ...more });
const chunks = Array.from({ length: 200 }, (_, index) => ({ delta: { content: ` word${index}` } }));
/** The responses with usage, which Parley requests, and without usage, which the limit's client requests. */
const streams = [true, false].map((withUsage) => [
  ...chunks.map((chunk) =>
    chunkOf([{ index: 0, ...chunk, finish_reason: null }], withUsage ? { usage: null } : {}),
  ),
  ...(withUsage ? [chunkOf([], { usage })] : []),
  Buffer.from('data: [DONE]\n\n'),
]);

/** 1 MB of sound that repeats all byte values. */
const sound = Buffer.from(Array.from({ length: 1_000_000 }, (_, at) => at % 256));
const transcript = JSON.stringify({ text: content, usage: { type: 'duration', seconds: 125 } });

createServer((request, response) => {
  if (request.url?.endsWith('/transcriptions')) {
    request.resume().on('end', () => {
      const headers = { 'content-type': 'application/json', 'content-length': transcript.length };
      response.writeHead(200, headers).end(transcript);
    });
    return;
  }
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => {
    text += part;
  });
  request.on('end', () => {
    if (request.url?.endsWith('/speech')) {
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': sound.length }).end(sound);
      return;
    }
    if (!text.includes('"stream":true')) {
      const headers = { 'content-type': 'application/json', 'content-length': completion.length };
      response.writeHead(200, headers).end(completion);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    const stream = streams[text.includes('"include_usage":true') ? 0 : 1] ?? [];
    write(response, stream, 0);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');

/** Writes each event separately, as a model does. */
function write(response: ServerResponse, stream: readonly Buffer[], at: number): void {
  const piece = stream[at];
  if (!piece || response.destroyed) response.end();
  else {
    response.write(piece);
    setImmediate(write, response, stream, at + 1);
  }
}
