import { toolsets } from '../../../tools/index.ts';
import { openApiDocument } from '../../transports/rest/openapi.ts';
import { parseArguments } from '../command.ts';
import { readVersion } from '../package-version.ts';

export const usage = '';
export const summary = 'Prints the OpenAPI 3.1 document that the server returns at /openapi.json';

export async function run(args: readonly string[]): Promise<void> {
  parseArguments(args, {});
  process.stdout.write(`${JSON.stringify(openApiDocument(toolsets, readVersion()), null, 2)}\n`);
}
