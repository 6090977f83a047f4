import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { page } from '../resources/knowledge/local-site.ts';

/** A website that is made to harm its reader. */
export interface HostileSite {
  readonly what: string;
  readonly url: string;
  /** `host:port`, as in PARLEY_FETCH_ALLOW. */
  readonly place: string;
  /** True if the site has readable pages, which Parley should index in spite of the harm. */
  readonly isReadable: boolean;
  /** True if the site takes minutes, because Parley retries it. */
  readonly isSlow: boolean;
  close(): void;
}

type Answers = (url: string, response: ServerResponse) => void;

const large = 100_000_000;
const part = Buffer.alloc(65_536, '<p>These are some words. ');
const packed = gzipSync(Buffer.alloc(large, part));
const html = { 'content-type': 'text/html' };
const words = 'The ferry leaves in the morning and comes back in the evening, on every day of the week.';

/** Sites without a robots.txt. */
const sites: Readonly<Record<string, Answers>> = {
  'page of 100 MB with its content-length': (_, response) =>
    endless(response.writeHead(200, { ...html, 'content-length': large })),
  'page of 100 MB without a content-length': (_, response) => endless(response.writeHead(200, html)),
  'page of 100 MB, compressed by gzip': (_, response) =>
    response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(packed),
  'redirects to itself, each time with another query': (url, response) =>
    response.writeHead(302, { location: `/?again=${Number(url.split('=')[1] ?? 0) + 1}` }).end(),
  'redirects between two paths': (url, response) =>
    response.writeHead(301, { location: url === '/a' ? '/' : '/a' }).end(),
  'endless links to pages with noindex': (url, response) =>
    response
      .writeHead(200, html)
      .end(page('No', words, linksOf(url), '<meta name="robots" content="noindex">')),
};

const readableSites: Readonly<Record<string, Answers>> = {
  'endless links': (url, response) =>
    response.writeHead(200, html).end(page(`Page ${url}`, words, linksOf(url))),
};

const slowSites: Readonly<Record<string, Answers>> = {
  'headers at one byte a second': (_, response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\nx-drip: ');
    drip(response, () => response.socket?.write('a'));
  },
  'body at one byte a second': (_, response) => {
    response.writeHead(200, html).write('<p>');
    drip(response, () => response.write('a'));
  },
};

/** Sites with a hostile robots.txt and one harmless page. */
const robots: Readonly<Record<string, Answers>> = {
  'robots.txt of 100 MB': (_, response) => endless(response.writeHead(200)),
};

const slowRobots: Readonly<Record<string, Answers>> = {
  'robots.txt at one byte a second': (_, response) => {
    response.writeHead(200).write('User-agent: ');
    drip(response, () => response.write('a'));
  },
};

/** Returns the paths of ten new pages. */
const linksOf = (url: string) => Array.from({ length: 10 }, (_, at) => `${url === '/' ? '' : url}/${at}`);

function endless(response: ServerResponse): void {
  const parts = function* () {
    for (let sent = 0; sent < large; sent += part.length) yield part.subarray(0, large - sent);
  };
  // The reader closes the connection before the end.
  pipeline(Readable.from(parts()), response).catch(() => undefined);
}

function drip(response: ServerResponse, drop: () => void): void {
  const drops = setInterval(drop, 1000);
  response.once('close', () => clearInterval(drops));
}

export function openHostileSites(): Promise<HostileSite[]> {
  const noRobots: Answers = (_, response) => void response.writeHead(404).end();
  const onePage: Answers = (_, response) => void response.writeHead(200, html).end(page('Page', words));
  const withPages = (all: typeof sites, isReadable: boolean, isSlow: boolean) =>
    Object.entries(all).map(([what, pages]) => openSite({ what, isReadable, isSlow }, noRobots, pages));
  const withRobots = (all: typeof sites, isReadable: boolean, isSlow: boolean) =>
    Object.entries(all).map(([what, rules]) => openSite({ what, isReadable, isSlow }, rules, onePage));
  return Promise.all([
    ...withPages(sites, false, false),
    ...withPages(readableSites, true, false),
    ...withRobots(robots, true, false),
    ...withPages(slowSites, false, true),
    ...withRobots(slowRobots, false, true),
  ]);
}

async function openSite(
  kind: Pick<HostileSite, 'what' | 'isReadable' | 'isSlow'>,
  rules: Answers,
  pages: Answers,
): Promise<HostileSite> {
  const server = createServer(({ url = '/' }, response) =>
    url === '/robots.txt' ? rules(url, response) : pages(url, response),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...kind,
    url: `http://${place}/`,
    place,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
