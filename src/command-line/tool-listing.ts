import { toolsets } from '../../tools/index.ts';
import { listingOf } from '../mcp/listing.ts';

/** Every tool, in the form of MCP's `tools/list`. In the bundle, `npm run build` replaces this module with its value. */
export const listing = listingOf(toolsets);
