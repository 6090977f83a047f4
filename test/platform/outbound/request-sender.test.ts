import pino from 'pino';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { FetchFailure } from '../../../src/platform/outbound/fetch-failure.ts';
import {
  type OutboundRequest,
  openRequestSender,
  type RequestSenderOptions,
} from '../../../src/platform/outbound/request-sender.ts';
import { never, openSite } from '../../helpers/wall-trial.ts';

function openSender(options: Partial<RequestSenderOptions> = {}) {
  const events: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void events.push(JSON.parse(line)) });
  const sender = openRequestSender({ allow: [], log, version: '1.2.3', ...options });
  onTestFinished(() => sender.close());
  return { sender, events };
}

const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'GET',
  url,
  query: {},
  headers: {},
  body: null,
  timeoutSeconds: 5,
  isWebhook: false,
  ...more,
});
const webhook = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest =>
  get(url, { method: 'POST', body: '{"order":"é"}', isWebhook: true, ...more });

/** What a site has received. */
interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A site that responds with these statuses in turn, the last one again and again. */
async function openReceiver(...statuses: readonly number[]) {
  const received: Received[] = [];
  const site = await openSite((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      const { method, url, headers } = request;
      received.push({ method, url, headers, body });
      response.statusCode = statuses[Math.min(received.length, statuses.length) - 1] ?? 200;
      response.setHeader('location', 'http://127.0.0.1:1/elsewhere');
      response.end('{"ok":true}');
    });
  });
  return { ...site, received };
}

const failureOf = (sent: Promise<unknown>): Promise<FetchFailure> =>
  sent.then(
    () => {
      throw new Error('a response');
    },
    (error: unknown) => {
      if (error instanceof FetchFailure) return error;
      throw error;
    },
  );

test('sends method, query, headers and body, and returns status and body', async () => {
  const site = await openReceiver(201);
  const { sender } = openSender({ allow: site.allow });
  const response = await sender.send(
    get(`${site.url}/orders?a=1`, {
      method: 'POST',
      query: { b: 'two words' },
      headers: { Authorization: 'Bearer x' },
      body: '{"n":1}',
    }),
    undefined,
    never,
  );
  expect(response).toEqual({ status: 201, body: '{"ok":true}' });
  const [first] = site.received;
  expect(first).toMatchObject({ method: 'POST', url: '/orders?a=1&b=two+words', body: '{"n":1}' });
  expect(first?.headers).toMatchObject({
    authorization: 'Bearer x',
    'content-type': 'application/json',
    'user-agent': 'Parley/1.2.3 (+requests)',
  });
  expect(first?.headers['webhook-id']).toBeUndefined();
});

test.for([
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', undefined],
  ['a secret of words, with é', undefined],
  ['a secret of words, with é', 'X-Shop-Signature'],
] as const)('signs a webhook with %s so that the published library accepts it', async ([secret, header]) => {
  const site = await openReceiver(200);
  const { sender } = openSender({ allow: site.allow });
  await sender.send(webhook(site.url, { signing: { secret, header } }), undefined, never);
  const [{ headers, body } = { headers: {} as Received['headers'], body: '' }] = site.received;
  const signature = headers[(header ?? 'webhook-signature').toLowerCase()];
  const receiver = secret.startsWith('whsec_')
    ? new Webhook(secret)
    : new Webhook(Buffer.from(secret), { format: 'raw' });
  const signed = {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(signature),
  };
  expect(receiver.verify(body, signed)).toEqual({ order: 'é' });
  expect(() => receiver.verify(`${body} `, signed)).toThrow('No matching signature found');
});

test('sends a webhook again with the same id if the receiver could not take it', async () => {
  const site = await openReceiver(503, 429, 200);
  const { sender } = openSender({ allow: site.allow });
  expect(await sender.send(webhook(site.url), undefined, never)).toMatchObject({ status: 200 });
  expect(site.received).toHaveLength(3);
  expect(new Set(site.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test.for([
  ['a webhook three times at most', webhook, 500, 3],
  ['a refused webhook once', webhook, 400, 1],
  ['a fetch once', get, 500, 1],
] as const)('sends %s', async ([_, request, status, times]) => {
  const site = await openReceiver(status);
  const { sender } = openSender({ allow: site.allow });
  expect(await sender.send(request(site.url), undefined, never)).toMatchObject({ status });
  expect(site.received).toHaveLength(times);
});

test('follows no redirect', async () => {
  const site = await openReceiver(302);
  const { sender } = openSender({ allow: site.allow });
  expect(await sender.send(get(site.url), undefined, never)).toMatchObject({ status: 302 });
});

test.for([
  'http://127.0.0.1/',
  'http://[::ffff:169.254.169.254]/latest/meta-data',
  'http://0x7f000001/',
  'http://user:pass@example.com/',
  'file:///etc/passwd',
  'https://example.com:5432/',
])('blocks %s and logs it without its path', async (url) => {
  const { sender, events } = openSender();
  await expect(sender.send(get(url), { id: 'cau1', projectId: 'cpr1' }, never)).rejects.toBeInstanceOf(
    FetchFailure,
  );
  expect(events).toMatchObject([{ event: 'fetch_blocked', requestId: 'cau1', projectId: 'cpr1' }]);
  expect(JSON.stringify(events)).not.toContain('meta-data');
});

test.for([
  [{ Host: 'internal' }, 'The header host belongs to the connection.'],
  [{ 'Transfer-Encoding': 'chunked' }, 'The header transfer-encoding belongs to the connection.'],
  [{ 'X-Token': 'a\r\nX-Evil: b' }, 'The header x-token has a value with characters that cannot be sent.'],
  [{ 'a b': 'c' }, 'The header a b has characters that cannot be sent.'],
] as const)('sends nothing with the headers %j', async ([headers, message]) => {
  const site = await openReceiver(200);
  const { sender } = openSender({ allow: site.allow });
  expect((await failureOf(sender.send(get(site.url, { headers }), undefined, never))).message).toBe(message);
  expect(site.connections()).toBe(0);
});

test.for([
  ['Host', 'The header host belongs to the connection.'],
  ['content-length', 'The header content-length belongs to the connection.'],
  ['Proxy-Authorization', 'The header proxy-authorization belongs to the connection.'],
  ['Authorization', 'The header authorization cannot carry a signature.'],
  ['Webhook-Id', 'The header webhook-id identifies the webhook, and Parley sets it.'],
  ['x-a\r\nhost', 'The header x-a\r\nhost has characters that cannot be sent.'],
  ['', 'The header  has characters that cannot be sent.'],
] as const)(
  'sends nothing if the signature of a webhook would be in the header %j',
  async ([header, message]) => {
    const site = await openReceiver(200);
    const { sender } = openSender({ allow: site.allow });
    const request = webhook(site.url, { signing: { secret: 'a secret', header } });
    expect((await failureOf(sender.send(request, undefined, never))).message).toBe(message);
    expect(site.connections()).toBe(0);
  },
);

test('gives up a receiver that does not respond in time', async () => {
  const site = await openSite(() => undefined);
  const { sender } = openSender({ allow: site.allow });
  const failure = await failureOf(sender.send(webhook(site.url, { timeoutSeconds: 1 }), undefined, never));
  expect(failure.message).toBe('No response within 1 s.');
});

test('gives up a response that is too large, without reading all of it', async () => {
  const site = await openSite((_, response) => {
    const more = () => {
      while (response.write(Buffer.alloc(65_536)));
      response.once('drain', more);
    };
    more();
  });
  const { sender } = openSender({ allow: site.allow });
  const failure = await failureOf(sender.send(get(site.url), undefined, never));
  expect(failure.message).toBe('The response is larger than 0.25 MiB.');
});

test('reports a refused connection in the words of every unreachable site', async () => {
  const site = await openSite((_, response) => response.end());
  const { sender } = openSender({ allow: ['127.0.0.1:9', ...site.allow] });
  const failure = await failureOf(sender.send(get('http://127.0.0.1:9/'), undefined, never));
  expect(failure.message).toBe('The site could not be reached.');
});
