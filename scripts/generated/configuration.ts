import * as v from 'valibot';
import { Environment } from '../../src/config.ts';
import { page, table } from './markdown.ts';

/** docs/configuration.md: every environment variable. */
export function configurationPage(): string {
  const rows = Object.entries(Environment.entries).map(([name, { wrapped, default: value }]) => {
    const { ifUnset } = v.getMetadata(wrapped) as { ifUnset?: string };
    return [`\`${name}\``, value === undefined ? (ifUnset ?? '') : `\`${value}\``, v.getDescription(wrapped)];
  });
  return page(
    'Configuration',
    'Parley reads these environment variables when it starts. An empty variable counts as not set. A wrong value, or a variable `PARLEY_…` that is not in this table, ends the start with one line that names it.',
    table(
      ['Variable', 'If not set', 'Meaning'],
      rows.map((row) => row.map((cell) => cell ?? '')),
    ),
  );
}
