import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';

/** A request of the main thread, which measures its own processor time meanwhile. */
export interface ThreadRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface ThreadAnswer {
  readonly status: number;
  readonly bytes: number;
  /** The first 2,000 characters. */
  readonly text: string;
}

/** A model that returns the same completion for every request, so that the server of this process only passes it on. */
const model = createServer((incoming, response) => {
  incoming.resume().once('end', () => {
    if (incoming.url?.endsWith('/speech')) {
      response.setHeader('content-type', 'audio/mpeg');
      response.end('sound');
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(
      '{"id":"1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Yes."},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}',
    );
  });
}).listen(0, '127.0.0.1');
await once(model, 'listening');

function send({ url, method, headers, body }: ThreadRequest): Promise<ThreadAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let bytes = 0;
      let text = '';
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (text.length < 2000) text += piece.toString();
      });
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, bytes, text: text.slice(0, 2000) }),
      );
      response.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

const port = parentPort;
if (!port) throw new Error('this module runs in a thread');
port.on('message', (wanted: ThreadRequest) => {
  void send(wanted)
    .catch((error: unknown) => ({ status: 0, bytes: 0, text: String(error) }))
    .then((answer) => port.postMessage(answer));
});
port.postMessage(`http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`);
