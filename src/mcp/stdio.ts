import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type McpOptions, type McpSession, mcpServers } from './server.ts';

/** 35 MiB, in bytes: a message with the largest tool's arguments. */
const messageLimit = 36_700_160;

/** Serves one client on stdin and stdout, in whichever era it opens with. */
export function serveMcpOverStdio(options: McpOptions, session: McpSession): { close(): Promise<void> } {
  const serverFor = mcpServers(options);
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: messageLimit });
  const onerror = (err: Error) => options.log.warn({ err }, 'MCP message refused');
  return serveStdio(() => serverFor(session), { transport, onerror });
}
