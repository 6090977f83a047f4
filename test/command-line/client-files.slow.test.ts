import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, test } from 'vitest';
import { clientFiles } from '../../scripts/generated/client-files.ts';
import { toolsets } from '../../tools/index.ts';
import { newHome } from '../helpers/parley.ts';

const root = path.resolve(import.meta.dirname, '../..');
const names = Object.keys(clientFiles);

interface Started {
  readonly command: string;
  readonly args: string[];
}

const contentOf = (file: string): Record<string, Record<string, Started> | undefined> =>
  JSON.parse(readFileSync(path.join(root, file), 'utf8'));

/** The server that a client file starts. The client replaces `workspaceFolder` itself. */
function startedBy(file: string): Started {
  const { mcpServers, servers } = contentOf(file);
  const { command = '', args = [] } = (mcpServers ?? servers)?.['parley'] ?? {};
  return { command, args: args.map((arg) => arg.replace(`\${workspaceFolder}`, root)) };
}

describe('the files with which AI clients start Parley', () => {
  test.each(names.flatMap((file) => ['.', 'docs/guides'].map((folder) => ({ file, folder }))))(
    '$file works unchanged with both lines of the MCP SDK in $folder',
    async ({ file, folder }) => {
      const env = { PATH: process.env['PATH'] ?? '', PARLEY_HOME: newHome() };
      const parameters = {
        ...startedBy(file),
        cwd: path.join(root, folder),
        env,
        stderr: 'ignore',
      } as const;
      const modern = new ModernClient({ name: 'test', version: '1.0.0' });
      await modern.connect(new ModernStdio(parameters));
      const legacy = new LegacyClient({ name: 'test', version: '1.0.0' });
      await legacy.connect(new LegacyStdio(parameters));
      for (const client of [modern, legacy]) {
        expect((await client.listTools()).tools).toHaveLength(Object.values(toolsets).flat().length);
        await client.close();
      }
    },
  );
});
