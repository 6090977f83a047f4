import { toolsets } from '../../tools/index.ts';
import { page, table } from './markdown.ts';

/** docs/contract/operations.md: every operation, by toolset. */
export function operationsPage(): string {
  const sections = Object.entries(toolsets).map(([toolset, tools]) => {
    const rows = tools.map(({ name, title, rest, access }) => [
      `\`${name}\``,
      `\`${rest.method} ${rest.path}\``,
      access,
      String(rest.status),
      title,
    ]);
    return `## ${toolset}\n\n${table(['Tool', 'Route', 'Access', 'Status', 'What it does'], rows)}`;
  });
  const count = Object.values(toolsets).flat().length;
  return page(
    'Operations',
    `Every one of the ${count} operations is an MCP tool and a REST route. A key needs the access that is named here; \`none\` needs no key. The status is that of a success over REST.`,
    ...sections,
  );
}
