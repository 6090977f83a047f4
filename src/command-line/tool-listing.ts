import type { Listing } from '../transports/mcp/listing.ts';
import listed from './tool-listing.json' with { type: 'json' };

/**
 * Every tool, in the form of MCP's `tools/list`. `npm run generate` writes the file, because a start that computed it would
 * load every operation, which costs more than all else before the first list.
 */
export const listing = listed as unknown as Listing;
