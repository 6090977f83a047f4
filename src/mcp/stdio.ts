import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { config } from 'zod/v4/core';
import { type McpOptions, type McpSession, mcpServers } from './server.ts';

/** Bytes: 35 MiB, a message with the largest arguments of a tool. */
const messageLimit = 36_700_160;

/** Serves one client on stdin and stdout, in the protocol era that it opens with. `onerror` gets refused messages. */
export function serveMcpOverStdio(
  options: McpOptions,
  session: McpSession,
  onerror: (error: Error) => void,
): { close(): Promise<void> } {
  // Compiling the SDK's schemas would cost more than it saves for one client.
  config({ jitless: true });
  const serverFor = mcpServers(options);
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: messageLimit });
  return serveStdio(() => serverFor(session), { transport, onerror });
}
