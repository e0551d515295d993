/**
 * The tiers in which commands may run on a workspace.
 *
 * Invariant: a command never runs unconfined on an untrusted workspace, whatever the user's settings allow.
 */
import { type Trust, WorkspaceUntrusted } from '../workspace/trust.ts';
import type { Tier } from './sandbox-tier.ts';

export function tiersFor(
  { root, trust }: { readonly root: string; readonly trust: Trust },
  wanted: readonly Tier[],
): readonly Tier[] {
  const confined = trust === 'trusted' ? wanted : wanted.filter((tier) => tier !== 'copied');
  if (confined.length === 0 && wanted.length > 0) throw new WorkspaceUntrusted('an unconfined command', root);
  return confined;
}
