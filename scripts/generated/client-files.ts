import path from 'node:path';

/** `node` and not npm: npm costs a second, writes to stdout, and needs a home that it can write to. */
const startedIn = (folder: string) => ({
  command: 'node',
  args: [path.posix.join(folder, 'bin/parley.js'), 'mcp'],
});
// Cursor and VS Code start a server in a folder of their own choice; both replace this variable.
const workspace = startedIn(`\${workspaceFolder}`);
const here = startedIn('');

/** How each AI client starts `parley mcp`, by the path of the file that the client reads. */
export const clientFiles: Readonly<Record<string, object>> = {
  'mcp.json': { mcpServers: { parley: here } },
  '.mcp.json': { mcpServers: { parley: here } },
  '.cursor/mcp.json': { mcpServers: { parley: workspace } },
  '.vscode/mcp.json': { inputs: [], servers: { parley: { type: 'stdio', ...workspace } } },
};
