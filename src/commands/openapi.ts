import { toolsets } from '../../tools/index.ts';
import { parseArguments } from '../command-line/command.ts';
import { readVersion } from '../command-line/package-version.ts';
import { openApiDocument } from '../rest/openapi.ts';

export const usage = '';
export const summary = 'Prints the OpenAPI 3.1 document that the server returns at /openapi.json';

export async function run(args: readonly string[]): Promise<void> {
  parseArguments(args, {});
  process.stdout.write(`${JSON.stringify(openApiDocument(toolsets, readVersion()), null, 2)}\n`);
}
