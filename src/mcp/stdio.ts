import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { config } from 'zod/v4/core';
import { largestMessage } from './message-limit.ts';
import { type McpOptions, type McpSession, mcpServers } from './server.ts';
import { StdioTransport } from './stdio-transport.ts';

/** Serves one client on stdin and stdout, in the protocol era that it opens with. `onerror` gets refused messages. */
export function serveMcpOverStdio(
  options: McpOptions,
  session: McpSession,
  onerror: (error: Error) => void,
): { close(): Promise<void> } {
  // Compiling the SDK's schemas would cost more than it saves for one client.
  config({ jitless: true });
  const serverFor = mcpServers(options);
  return serveStdio(() => serverFor(session), { transport: new StdioTransport(largestMessage), onerror });
}
