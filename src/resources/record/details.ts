import * as v from 'valibot';

/**
 * The input that asks for members that a read leaves out otherwise. If Parley adds them to a record of the contract, MCP
 * implies it (`decisions#members`).
 */
export function details(members: string) {
  return v.exactOptional(v.pipe(v.boolean(), v.description(`True adds ${members}.`)));
}
