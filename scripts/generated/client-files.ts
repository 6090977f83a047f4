// `node` and not npm: npm costs a second, writes to stdout, and needs a home that it can write to.

/** Cursor and VS Code start a server in a folder of their own choice, and replace this variable. */
const workspace = { command: 'node', args: [`\${workspaceFolder}/bin/parley.js`, 'mcp'] };
/** Other clients start the server in the folder in which they run, which may be any of the project: Node finds the package from there. */
const anyFolder = { command: 'node', args: ['-e', "require('parley')", 'parley', 'mcp'] };

/** How each AI client starts `parley mcp`, by the path of the file that the client reads. */
export const clientFiles: Readonly<Record<string, object>> = {
  'mcp.json': { mcpServers: { parley: anyFolder } },
  '.mcp.json': { mcpServers: { parley: anyFolder } },
  '.cursor/mcp.json': { mcpServers: { parley: workspace } },
  '.vscode/mcp.json': { inputs: [], servers: { parley: { type: 'stdio', ...workspace } } },
};
