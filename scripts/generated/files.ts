import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readVersion } from '../../src/command-line/package-version.ts';
import { listingOf } from '../../src/transports/mcp/listing.ts';
import { openApiDocument } from '../../src/transports/rest/openapi.ts';
import { toolsets } from '../../tools/index.ts';
import { clientFiles } from './client-files.ts';
import { commandLinePage } from './command-line.ts';
import { configurationPage } from './configuration.ts';
import { moduleTable } from './modules.ts';
import { operationsPage } from './operations.ts';
import { studioOperations } from './studio-operations.ts';

/** Every generated file but the registry by its path: the text of a page, or the value of a JSON file. */
export async function otherFiles(): Promise<Readonly<Record<string, string | object>>> {
  const document = openApiDocument(toolsets, readVersion());
  return {
    'docs/contract/openapi.json': document,
    'src/command-line/tool-listing.json': listingOf(toolsets),
    'web/api/operations.ts': await studioOperations(document),
    'docs/contract/operations.md': operationsPage(),
    'docs/configuration.md': configurationPage(),
    'docs/command-line.md': await commandLinePage(),
    'ARCHITECTURE.md': withGenerated('ARCHITECTURE.md', 'modules', moduleTable()),
    ...clientFiles,
  };
}

/**
 * A page with new text between `<!-- generated: NAME -->` and `<!-- end -->`.
 * @throws if it has no such markers.
 */
function withGenerated(file: string, name: string, text: string): string {
  const page = readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8');
  const start = `<!-- generated: ${name} -->`;
  const [before, after] = page.split(start);
  const end = after?.indexOf('<!-- end -->') ?? -1;
  if (after === undefined || end < 0) throw new Error(`${file} has no ${start} with an <!-- end -->`);
  return `${before}${start}\n\n${text}\n\n${after.slice(end)}`;
}
