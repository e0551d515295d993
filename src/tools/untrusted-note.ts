/** The note about trust in an answer. Every connection loads this module, so it imports nothing that reads files. */
import { howToTrust } from '../workspace/trust-remedy.ts';
import type { ToolContext } from './tool-context.ts';
import type { ToolResult } from './tool-result.ts';

/**
 * Adds to an answer what its servers could not use because the workspace is not trusted; nothing if that is empty.
 */
export function withUntrusted({ workspaces }: ToolContext, result: ToolResult): ToolResult {
  const offering = workspaces.all.filter(({ live }) => live.servers.withheld.length > 0);
  if (offering.length === 0) return result;
  const untrusted = {
    not_used: offering.flatMap(({ live }) => live.servers.withheld.map(({ path }) => path)),
    how_to_trust: offering.map(({ workspace }) => howToTrust(workspace.root)).join(' '),
  };
  return { ...result, meta: { ...result.meta, untrusted } };
}
