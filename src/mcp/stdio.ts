import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { config } from 'zod/v4/core';
import { type McpOptions, type McpSession, mcpServers } from './server.ts';

/** 35 MiB, in bytes: a message with the largest tool's arguments. */
const messageLimit = 36_700_160;

/** Serves one client on stdin and stdout, in whichever era it opens with; `onerror` hears of refused messages. */
export function serveMcpOverStdio(
  options: McpOptions,
  session: McpSession,
  onerror: (error: Error) => void,
): { close(): Promise<void> } {
  // The SDK's schemas would be compiled on first use: for one client that costs more than it ever saves.
  config({ jitless: true });
  const serverFor = mcpServers(options);
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: messageLimit });
  return serveStdio(() => serverFor(session), { transport, onerror });
}
