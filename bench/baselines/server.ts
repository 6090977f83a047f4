import http, { type IncomingMessage, type ServerResponse } from 'node:http';

/** Sends JSON and its length in one write. */
export function send(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** Reads the body of a request. */
export function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => resolve(text));
    request.on('error', reject);
  });
}

/** Listens on `PORT` of 127.0.0.1. */
export function serve(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>): void {
  http
    .createServer((request, response) => {
      answer(request, response).catch((error: unknown) => {
        console.error(error);
        send(response, 500, { error: 'internal' });
      });
    })
    .listen(Number(process.env['PORT']), '127.0.0.1');
}
