import { variables } from '../../src/platform/config/variables.ts';
import { page, table } from './markdown.ts';

/** docs/configuration.md: every environment variable. */
export function configurationPage(): string {
  const rows = Object.entries(variables).map(([name, { schema, takes, ifUnset = '', meaning }]) => [
    `\`${name}\``,
    takes,
    schema.default === undefined ? ifUnset : `\`${schema.default}\``,
    meaning,
  ]);
  return page(
    'Configuration',
    'Parley reads these environment variables when it starts. An empty variable counts as not set. A wrong value, or a variable `PARLEY_…` that is not in this table, ends the start with one line that names it.',
    table(['Variable', 'Takes', 'If not set', 'Meaning'], rows),
  );
}
