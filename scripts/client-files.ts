import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** `node` and not npm: npm costs a second, writes to stdout, and wants a home that can be written. */
const startedIn = (folder: string) => ({
  command: 'node',
  args: [path.posix.join(folder, 'bin/parley.js'), 'mcp'],
});
// These two start a server where they like; the variable is theirs.
const workspace = startedIn(`\${workspaceFolder}`);
const here = startedIn('');

/** What each client reads of how to start `parley mcp`, by the file's path in the project. */
export const clientFiles: Readonly<Record<string, object>> = {
  'mcp.json': { mcpServers: { parley: here } },
  '.mcp.json': { mcpServers: { parley: here } },
  '.cursor/mcp.json': { mcpServers: { parley: workspace } },
  '.vscode/mcp.json': { inputs: [], servers: { parley: { type: 'stdio', ...workspace } } },
};

/** The text of a client file. */
export function clientFileText(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

if (import.meta.main)
  for (const [file, content] of Object.entries(clientFiles)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), clientFileText(content));
  }
