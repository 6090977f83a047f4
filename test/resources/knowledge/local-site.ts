import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The HTML of a page, or a handler. */
export type SitePage = string | ((request: IncomingMessage, response: ServerResponse) => void);

/** A website for a test; unknown paths return 404. */
export interface LocalSite {
  readonly base: string;
  /** `host:port`, for PARLEY_FETCH_ALLOW. */
  readonly place: string;
  /** By path; tests change it while the server runs. */
  readonly pages: Map<string, SitePage>;
  /** The requested paths, in order. */
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

/** An HTML page with links. */
export function page(title: string, text: string, links: readonly string[] = [], head = ''): string {
  const anchors = links.map((link) => `<li><a href="${link}">More of ${link}</a></li>`).join('');
  return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head>
<body><main><h1>${title}</h1><p>${text}</p></main><nav><ul>${anchors}</ul></nav></body></html>`;
}
