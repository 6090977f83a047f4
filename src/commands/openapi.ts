import { toolsets } from '../../tools/index.ts';
import { openApiDocument } from '../rest/openapi.ts';
import { parseArguments } from './command.ts';

export const usage = '';

/** `parley openapi`: the OpenAPI document that the server answers at `/openapi.json`. */
export async function run(args: readonly string[]): Promise<void> {
  parseArguments(args, {});
  process.stdout.write(`${JSON.stringify(openApiDocument(toolsets), null, 2)}\n`);
}
