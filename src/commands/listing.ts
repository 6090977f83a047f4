import { toolsets } from '../../tools/index.ts';
import { listingOf } from '../mcp/listing.ts';

/** Every tool as MCP lists it. `npm run build` works it out and puts the result in the place of this module. */
export const listing = listingOf(toolsets);
