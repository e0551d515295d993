/** What a list of tools costs every conversation it is shown in. */

import { toolListing } from '../../src/mcp/tool-listing.ts';
import type { Tool } from '../../src/tools/tool.ts';

export interface ListingCost {
  /** Tools as the client counts them: a listed alias is one of its own. */
  readonly tools: number;
  /** Of the answer to `tools/list`. */
  readonly bytes: number;
  /** By the rule of thumb of four bytes of JSON to a token. */
  readonly tokens: number;
}

const bytesPerToken = 4;

export function listingCost(tools: readonly Tool[]): ListingCost {
  const listing = toolListing(tools);
  const bytes = Buffer.byteLength(JSON.stringify({ tools: listing }));
  return { tools: listing.length, bytes, tokens: Math.round(bytes / bytesPerToken) };
}
