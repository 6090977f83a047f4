import { importTable } from '../../test/import-table.ts';
import { table } from './markdown.ts';

/** The modules of ARCHITECTURE.md, with the modules that each may import. */
export function moduleTable(): string {
  const rows = Object.entries(importTable).map(([module, { holds, imports }]) => [
    code(module),
    holds,
    imports
      .filter((name) => !name.startsWith('node:'))
      .map(code)
      .join(', '),
  ]);
  return table(['Module', 'What it holds', 'May import'], rows);
}

const code = (name: string) => `\`${name}\``;
