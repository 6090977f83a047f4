import { openApiDocument } from '../../src/rest/openapi.ts';
import { toolsets } from '../../tools/index.ts';
import { clientFiles } from './client-files.ts';
import { commandLinePage } from './command-line.ts';
import { configurationPage } from './configuration.ts';
import { operationsPage } from './operations.ts';

/** Every generated file by its path: the text of a page, or the value of a JSON file. */
export async function generatedFiles(): Promise<Readonly<Record<string, string | object>>> {
  return {
    'docs/contract/openapi.json': openApiDocument(toolsets),
    'docs/contract/operations.md': operationsPage(),
    'docs/configuration.md': configurationPage(),
    'docs/command-line.md': await commandLinePage(),
    ...clientFiles,
  };
}
