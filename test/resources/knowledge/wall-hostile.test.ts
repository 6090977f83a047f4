import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { unreachable } from '../../../src/platform/outbound/fetch-failure.ts';
import type { WallOptions } from '../../../src/resources/knowledge/fetch/wall.ts';
import { failureOf, never, openRawSite, openSite, openTrialWall } from '../../helpers/wall-trial.ts';

/** Short limits, in milliseconds: for the head of a response, and for its body. */
const hasty = { connect: 150, headers: 300, whole: 600 };
const patient = { whole: 1_500 };
const retriable = { message: unreachable, final: false };
const cutShort = { message: 'The page did not arrive completely in time.', final: false };
const tooLarge = { message: 'The page is larger than 5 MiB.', final: true };
const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';

function fetchFailure(
  site: Pick<WallOptions, 'allow'> & { readonly url: string },
  limits: WallOptions['limits'] = {},
) {
  const { wall } = openTrialWall({ allow: site.allow, limits });
  return failureOf(wall.fetch(site.url, { signal: never }));
}

test('reports refused, silent, blocked and unknown hosts in the same words', async () => {
  const silent = await openRawSite(() => undefined);
  const messages = new Set<string>();
  const open = openTrialWall({
    allow: ['127.0.0.1:1', ...silent.allow],
    limits: { ...hasty, ports: [80] },
    resolve: async (name) => {
      if (name === 'slow.example') await new Promise(() => undefined);
      throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    },
  });
  const finals: boolean[] = [];
  for (const url of [
    'http://127.0.0.1:1/',
    silent.url,
    'http://127.0.0.1/',
    'http://no.example/',
    'http://slow.example/',
  ]) {
    const { message, final } = await failureOf(open.wall.fetch(url, { signal: never }));
    messages.add(message);
    finals.push(final);
  }
  expect([...messages]).toEqual([unreachable]);
  expect(finals).toEqual([false, false, true, false, false]);
});

test('gives up a silent server', async () => {
  const site = await openRawSite(() => undefined);
  expect(await fetchFailure(site, hasty)).toEqual(retriable);
});

test('gives up a server that never starts TLS', async () => {
  const site = await openRawSite(() => undefined);
  expect(await fetchFailure({ ...site, url: site.url.replace('http', 'https') }, hasty)).toEqual(retriable);
});

test('gives up a server that stops within the head', async () => {
  const site = await openRawSite((socket) => socket.write(head));
  expect(await fetchFailure(site, hasty)).toEqual(retriable);
});

test('gives up an endless head', async () => {
  const site = await openRawSite((socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(`x-more: ${'a'.repeat(1_000)}\r\n`), 5);
    socket.on('close', () => clearInterval(timer));
  });
  expect(await fetchFailure(site)).toEqual(retriable);
});

test('gives up endless early hints', async () => {
  const site = await openRawSite((socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), 5);
    socket.on('close', () => clearInterval(timer));
  });
  expect(await fetchFailure(site, hasty)).toEqual(retriable);
});

test('gives up a body that stops', async () => {
  const site = await openRawSite((socket) => socket.write(`${head}content-length: 10\r\n\r\n<p>`));
  expect(await fetchFailure(site, patient)).toEqual(cutShort);
});

test('gives up a body that drips byte by byte', async () => {
  const site = await openSite((_, response) => {
    const timer = setInterval(() => response.write('x'), 50);
    response.on('close', () => clearInterval(timer));
  });
  expect(await fetchFailure(site, patient)).toEqual(cutShort);
});

test('allows more time for a body than for a head', async () => {
  const site = await openSite((_, response) => {
    response.flushHeaders();
    setTimeout(() => response.end('late'), 1_200);
  });
  const { wall } = openTrialWall({ allow: site.allow, limits: { headers: 1_000 } });
  expect((await wall.fetch(site.url, { signal: never })).bytes).toHaveLength(4);
});

test('closes a redirect with an endless body', async () => {
  let left: Promise<unknown> | undefined;
  const site = await openSite(({ url }, response) => {
    if (url === '/there') return void response.end('there');
    left = new Promise((resolve) => response.on('close', resolve));
    response.writeHead(302, { location: '/there' }).write('go on');
  });
  const { wall } = openTrialWall(site);
  expect((await wall.fetch(site.url, { signal: never })).bytes).toHaveLength(5);
  await left;
});

test('shares one time limit between slow redirects', async () => {
  const site = await openSite((_, response) => {
    setTimeout(() => response.writeHead(302, { location: '/' }).end(), 250);
  });
  expect(await fetchFailure(site, hasty)).toEqual(retriable);
});

test('stops an endless body at the size limit', async () => {
  let sent = 0;
  const site = await openSite((_, response) => {
    const part = Buffer.alloc(65_536, 'a');
    const write = () => {
      sent += part.length;
      if (response.write(part)) setImmediate(write);
      else response.once('drain', write);
    };
    write();
    response.on('error', () => undefined);
  });
  const { wall } = openTrialWall(site);
  expect(await failureOf(wall.fetch(site.url, { signal: never }))).toEqual(tooLarge);
  expect(sent).toBeLessThan(16 * 1024 * 1024);
});

test('does not read a page that declares 100 MB', async () => {
  let closed: Promise<unknown> | undefined;
  const site = await openSite((_, response) => {
    closed = new Promise((resolve) => response.on('close', resolve));
    response.writeHead(200, { 'content-length': 100_000_000 });
    response.write('<p>');
  });
  expect(await fetchFailure(site)).toEqual(tooLarge);
  await closed;
});

test('accepts 5 MiB and not a byte more, with and without a Content-Length', async () => {
  const site = await openSite(({ url = '' }, response) => {
    const page = Buffer.alloc(5 * 1024 * 1024 + Number(url.includes('more')));
    if (url.includes('chunks')) response.flushHeaders();
    response.end(page);
  });
  const { wall } = openTrialWall(site);
  for (const path of ['/', '/chunks']) {
    expect((await wall.fetch(site.url + path, { signal: never })).bytes).toHaveLength(5 * 1024 * 1024);
    expect(await failureOf(wall.fetch(`${site.url + path}more`, { signal: never }))).toEqual(tooLarge);
  }
});

test('decompresses a gzip bomb only up to the limit', async () => {
  // A gigabyte of zeros in a megabyte.
  const bomb = Buffer.concat(Array.from({ length: 100 }, () => zeros));
  const site = await openSite((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  );
  const { wall } = openTrialWall(site);
  const before = process.resourceUsage().maxRSS;
  expect(await failureOf(wall.fetch(site.url, { signal: never }))).toEqual(tooLarge);
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(128 * 1024);
});
const zeros = gzipSync(Buffer.alloc(10 * 1024 * 1024));

test('requests no compression, but reads a compressed page', async () => {
  const encodings: unknown[] = [];
  const site = await openSite(({ headers, url }, response) => {
    encodings.push(headers['accept-encoding']);
    const encoding = url?.slice(1) ?? '';
    response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync('<p>packed</p>'));
  });
  const { wall } = openTrialWall(site);
  const { bytes } = await wall.fetch(`${site.url}/GZIP`, { signal: never });
  expect(Buffer.from(bytes).toString()).toBe('<p>packed</p>');
  const unknown = {
    message: 'The page has a Content-Encoding that Parley cannot read: use gzip or br.',
    final: true,
  };
  for (const encoding of ['compress', 'constructor', 'gzip, gzip'])
    expect(await failureOf(wall.fetch(`${site.url}/${encoding}`, { signal: never }))).toEqual(unknown);
  expect(await failureOf(wall.fetch(`${site.url}/br`, { signal: never }))).toEqual(cutShort);
  expect(new Set(encodings)).toEqual(new Set(['identity']));
});

test.for<[what: string, bytes: string]>([
  ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['a garbled status line', 'HTTP/9.9 abc\r\n\r\n'],
  ['two lengths', `${head}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
  ['a length and chunks', `${head}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['a length that is not a number', `${head}content-length: many\r\n\r\na`],
  [
    'another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  ],
  ['nothing', ''],
])('reports %s instead of a response as unreachable', async ([, bytes]) => {
  const site = await openRawSite((socket) => socket.end(bytes));
  expect(await fetchFailure(site)).toEqual(retriable);
});

test.for<[what: string, rest: string]>([
  ['a length that is too long', 'content-length: 10\r\n\r\n<p>'],
  ['a broken chunk', 'transfer-encoding: chunked\r\n\r\nzz\r\n<p>\r\n'],
  ['chunks without an end', 'transfer-encoding: chunked\r\n\r\n3\r\n<p>\r\n'],
])('reports a body with %s as cut short', async ([, rest]) => {
  const site = await openRawSite((socket) => socket.end(head + rest));
  expect(await fetchFailure(site)).toEqual(cutShort);
});

test('ignores bytes after a body of the declared length', async () => {
  const site = await openRawSite((socket) => {
    socket.on('data', () =>
      socket.write(`${head}content-length: 3\r\n\r\n<p>HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`),
    );
  });
  const { wall } = openTrialWall(site);
  for (const path of ['/one', '/two'])
    expect(Buffer.from((await wall.fetch(site.url + path, { signal: never })).bytes).toString()).toBe('<p>');
});

test.for<[status: number, final: boolean]>([
  [400, true],
  [401, true],
  [403, true],
  [404, true],
  [410, true],
  [304, true],
  [408, false],
  [425, false],
  [429, false],
  [500, false],
  [502, false],
  [503, false],
])('reports a %d as final: %s', async ([status, final]) => {
  const site = await openSite((_, response) => response.writeHead(status).end('words of the site'));
  expect(await fetchFailure(site)).toEqual({ message: `The site responded with status ${status}.`, final });
});

test('does not read a page of another type', async () => {
  const site = await openSite(({ url = '', headers }, response) => {
    if (url !== '/') response.setHeader('content-type', decodeURIComponent(url.slice(1)));
    response.end(headers.accept);
  });
  const { wall } = openTrialWall(site);
  const accept = ['text/*', 'application/pdf'];
  const unwanted = {
    message:
      'The page is of another type than those that Parley reads: HTML, text, Markdown, CSV, PDF and DOCX.',
    final: true,
  };
  for (const type of ['image/png', 'application/json', 'texts/html'])
    expect(
      await failureOf(wall.fetch(`${site.url}/${encodeURIComponent(type)}`, { signal: never, accept })),
    ).toEqual(unwanted);
  for (const type of ['', 'text/html; charset=utf-8', 'TEXT/markdown', 'application/pdf', 'strange']) {
    const fetched = await wall.fetch(`${site.url}/${encodeURIComponent(type)}`, { signal: never, accept });
    expect(Buffer.from(fetched.bytes).toString()).toBe('text/*, application/pdf');
    expect(fetched.contentType).toBe(type === '' ? undefined : type);
  }
});

test('identifies Parley to the site', async () => {
  const site = await openSite(({ headers }, response) => response.end(JSON.stringify(headers)));
  const { wall } = openTrialWall(site);
  const { bytes } = await wall.fetch(site.url, { signal: never });
  expect(JSON.parse(Buffer.from(bytes).toString())).toEqual({
    host: `127.0.0.1:${site.port}`,
    connection: 'keep-alive',
    'user-agent': 'Parley/1.2.3 (+knowledge)',
    accept: '*/*',
    'accept-encoding': 'identity',
  });
});

test('rejects with the reason of an aborted signal', async () => {
  const site = await openRawSite(() => undefined);
  const { wall, events } = openTrialWall(site);
  const aborting = new AbortController();
  const fetched = wall.fetch(site.url, { signal: aborting.signal });
  const reason = new Error('the source is gone');
  setTimeout(() => aborting.abort(reason), 50);
  await expect(fetched).rejects.toBe(reason);
  await expect(wall.fetch(site.url, { signal: aborting.signal })).rejects.toBe(reason);
  expect(events).toEqual([]);
});

test('ends all requests when the wall is closed', async () => {
  const site = await openRawSite(() => undefined);
  const { wall } = openTrialWall(site);
  const fetched = failureOf(wall.fetch(site.url, { signal: never }));
  setTimeout(() => void wall.close(), 50);
  expect(await fetched).toEqual(retriable);
});
