import { importTable } from '../../test/import-table.ts';
import { table } from './markdown.ts';

/** The modules of ARCHITECTURE.md, with the modules and packages that each may import. */
export function moduleTable(): string {
  const rows = Object.entries(importTable).map(([module, { holds, imports, types = [] }]) => [
    `\`${module}\``,
    holds,
    [...imports.map(code), ...types.map((name) => `${code(name)} (types)`)].join(', '),
  ]);
  return table(['Module', 'What it holds', 'May import'], rows);
}

const code = (name: string) => `\`${name}\``;
