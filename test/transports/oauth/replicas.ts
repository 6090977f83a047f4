import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import tls from 'node:tls';
import { cloneDatabase } from '../../helpers/database.ts';
import { certificate, key } from '../../helpers/self-signed.ts';
import { openWorld, type WorldOptions } from '../../helpers/world.ts';

/** What a site publishes, by path. */
type Documents = Map<string, string | { readonly status: number; readonly location?: string }>;

/**
 * Opens two servers on one database behind a load balancer, which sends each request to the other one, and a site that
 * publishes metadata documents of clients.
 */
export async function openReplicas(options: WorldOptions = {}) {
  const documents: Documents = new Map();
  let reads = 0;
  const site = https.createServer({ cert: certificate, key }, (request, response) => {
    reads += 1;
    const document = documents.get(request.url ?? '');
    if (document === undefined) response.writeHead(404).end();
    else if (typeof document === 'string')
      response.writeHead(200, { 'content-type': 'application/json' }).end(document);
    else response.writeHead(document.status, { location: document.location ?? '/' }).end();
  });
  const sitePort = await listen(site);
  const usual = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...usual, certificate]);

  const opened: https.Server[] = [];
  const bases: string[] = [];
  let turn = 0;
  const balancer = http.createServer((request, response) => {
    turn += 1;
    const { hostname, port } = new URL(bases[turn % bases.length] ?? '');
    const { method, url, headers } = request;
    const passed = http.request({ hostname, port, method, path: url, headers, setHost: false }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  const base = `http://127.0.0.1:${await listen(balancer)}`;
  const database = await cloneDatabase();
  const shared = {
    publicUrl: base,
    outbound: { allow: [`127.0.0.1:${sitePort}`] },
    ...options,
  };
  const first = await openWorld({ ...shared, database });
  const second = await openWorld({ ...shared, database: { url: database.url, drop: async () => undefined } });
  bases.push(first.base, second.base);
  return {
    base,
    mcpUrl: `${base}/mcp`,
    first,
    second,
    /** How often documents were read. */
    documentReads: () => reads,

    /** Publishes a metadata document. Returns its address, which is the id of the client. */
    publish(path: string, metadata: Record<string, unknown>): string {
      const clientId = `https://127.0.0.1:${sitePort}${path}`;
      documents.set(path, JSON.stringify({ client_id: clientId, ...metadata }));
      return clientId;
    },
    /** Publishes a redirect in place of a document. */
    publishRedirect(path: string, location: string): string {
      documents.set(path, { status: 302, location });
      return `https://127.0.0.1:${sitePort}${path}`;
    },

    /** Opens a site on this machine that serves one document, and that Parley must not reach. */
    async openInternalSite(document: (clientId: string) => Record<string, unknown>) {
      let connections = 0;
      let clientId = '';
      const inside = https.createServer({ cert: certificate, key }, (_, response) => {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(document(clientId)));
      });
      inside.on('connection', () => {
        connections += 1;
      });
      clientId = `https://127.0.0.1:${await listen(inside)}/client.json`;
      opened.push(inside);
      return { clientId, connections: () => connections };
    },

    async close(): Promise<void> {
      for (const inside of opened) inside.close();
      tls.setDefaultCACertificates(usual);
      balancer.closeAllConnections();
      site.closeAllConnections();
      balancer.close();
      site.close();
      await second.close();
      await first.close();
    },
  };
}

export type Replicas = Awaited<ReturnType<typeof openReplicas>>;

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
