import type { JSONRPCMessage, McpRequestContext, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { config } from 'zod/v4/core';
import type { JsonObject } from '../../operation/result.ts';
import type { WatchedRecord } from '../../store/resource-states.ts';
import { largestMessage } from './message-limit.ts';
import { cancelledIn } from './open-calls.ts';
import { ResourceWatch } from './resource-watch.ts';
import { type McpOptions, type McpSession, mcpServers } from './server.ts';
import { StdioTransport } from './stdio-transport.ts';
import { type ListenRequest, listenRequestIn, watchedRecords } from './subscriptions.ts';
import { visibleTools } from './visible-tools.ts';

/** Serves one client on stdin and stdout, in the protocol era that it opens with. `onerror` gets refused messages. */
export function serveMcpOverStdio(
  options: McpOptions,
  session: McpSession,
  onerror: (error: Error) => void,
): { close(): Promise<void> } {
  // Compiling the SDK's schemas would cost more than it saves for one client.
  config({ jitless: true });
  const watch = new ResourceWatch(
    async (records) => (await session.runtime()).recordStates(records),
    (error) => onerror(error instanceof Error ? error : new Error(String(error))),
  );
  const serverFor = mcpServers(options);
  // The last one serves the client: only a server that was asked what it can do comes before it.
  let server: Server | undefined;
  const factory = async ({ era }: McpRequestContext) => {
    server = await serverFor({ ...session, watch, hasTasks: era === 'modern' });
    return server;
  };
  const transport = new StdioTransport(largestMessage);
  const served = serveStdio(factory, { transport, onerror });
  const heard = listenFor(transport, {
    watch,
    recordsAt: async (addresses) =>
      watchedRecords(
        visibleTools(options.listing, await session.listedFor(), session.selection),
        await session.caller(),
        addresses,
      ),
    tell: async (uri) => server?.sendResourceUpdated({ uri }),
    onerror,
  });
  return {
    async close() {
      heard.end();
      await served.close();
    },
  };
}

interface Hearing {
  readonly watch: ResourceWatch;
  readonly recordsAt: (addresses: readonly string[]) => Promise<Map<string, WatchedRecord>>;
  readonly tell: (address: string) => Promise<void>;
  readonly onerror: (error: Error) => void;
}

/**
 * Watches the resources that a client of 2026-07-28 listens to, until it cancels that. The SDK serves these requests itself
 * and tells no server of them, so they are read on their way to it.
 */
function listenFor(transport: StdioTransport, { watch, recordsAt, tell, onerror }: Hearing) {
  const ends = new Map<unknown, () => void>();
  const deliver = transport.onmessage;
  const end = (id: unknown) => {
    ends.get(id)?.();
    ends.delete(id);
  };
  const begin = async ({ id, addresses, asking }: ListenRequest): Promise<JsonObject> => {
    const records = await recordsAt(addresses);
    const stop = await watch.open(records, {
      onUpdate: (address) => void tell(address).catch(onerror),
      onEnd: () => end(id),
    });
    end(id);
    if (stop) ends.set(id, stop);
    return asking(stop ? [...records.keys()] : []);
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
  transport.onmessage = (message) => {
    for (const id of cancelledIn(message)) end(id);
    const request = listenRequestIn(message);
    if (!request) deliver?.(message);
    else
      void begin(request)
        .then((honoured) => deliver?.(honoured as JSONRPCMessage))
        .catch((error: unknown) => {
          onerror(error instanceof Error ? error : new Error(String(error)));
          deliver?.(request.asking([]) as JSONRPCMessage);
        });
  };
  return {
    end() {
      for (const id of ends.keys()) end(id);
    },
  };
}
