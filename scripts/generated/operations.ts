import { toolsOf } from '../../src/environment/selection.ts';
import { restOperations } from '../../src/environment/toolsets.ts';
import { toolsets } from '../../tools/index.ts';
import { page, table } from './markdown.ts';

/** docs/contract/operations.md: every operation, by toolset. */
export function operationsPage(): string {
  const operations = restOperations(toolsets);
  const sections = Object.entries(operations).map(([toolset, tools]) => {
    const rows = tools.map(({ name, title, rest, access }) => [
      `\`${name}\``,
      `\`${rest.method} ${rest.path}\``,
      access,
      String(rest.status),
      title,
    ]);
    return `## ${toolset}\n\n${table(['Operation', 'Route', 'Access', 'Status', 'What it does'], rows)}`;
  });
  const covered = toolsOf(toolsets).flatMap(({ name, mcp }) =>
    (mcp.covers ?? []).map((operation) => `\`${operation.name}\`, which is a part of the tool \`${name}\``),
  );
  return page(
    'Operations',
    `Every one of the ${toolsOf(operations).length} operations is a REST route and an MCP tool, except ${covered.join(', ')}. A key needs the access that is named here; \`none\` needs no key. The status is that of a success over REST.`,
    ...sections,
  );
}
