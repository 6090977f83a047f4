import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';

/** Sends a request with any Host, which `fetch` does not allow. */
export async function request(url: string, { method = 'GET', host }: { method?: string; host: string }) {
  const sent = http.request(url, { method, headers: { host } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}
