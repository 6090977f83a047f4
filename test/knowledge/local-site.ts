import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a page answers: its HTML, or whatever a test wants. */
export type SitePage = string | ((request: IncomingMessage, response: ServerResponse) => void);

/** A website of a test's own; what it has not answers 404. */
export interface LocalSite {
  readonly base: string;
  /** `host:port`, as PARLEY_FETCH_ALLOW takes it. */
  readonly place: string;
  /** By path; may be changed while it serves. */
  readonly pages: Map<string, SitePage>;
  /** The paths that were asked for, in order. */
  readonly asked: string[];
  close(): void;
}

export async function openSite(pages: Readonly<Record<string, SitePage>> = {}): Promise<LocalSite> {
  const served = new Map(Object.entries(pages));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { url = '/' } = request;
    asked.push(url);
    const page = served.get(url);
    if (typeof page === 'function') page(request, response);
    else
      response
        .writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
        .end(page ?? 'There is no such page.');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
    place: `127.0.0.1:${port}`,
    pages: served,
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A page about something, with links to others. */
export function page(title: string, text: string, links: readonly string[] = [], head = ''): string {
  const anchors = links.map((link) => `<li><a href="${link}">More of ${link}</a></li>`).join('');
  return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head>
<body><main><h1>${title}</h1><p>${text}</p></main><nav><ul>${anchors}</ul></nav></body></html>`;
}
