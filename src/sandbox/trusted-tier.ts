/**
 * The tiers in which commands may run on a workspace.
 *
 * Invariant: a command never runs unconfined on a workspace that is not trusted, whatever the environment allows.
 */
import { type Trust, WorkspaceUntrusted } from '../workspace/trust.ts';
import { allowedTiers } from './sandbox.ts';
import type { Tier } from './sandbox-tier.ts';

export function tiersFor(
  { root, trust }: { readonly root: string; readonly trust: Trust },
  env: Readonly<Record<string, string | undefined>>,
  wanted: readonly Tier[] = allowedTiers(env),
): readonly Tier[] {
  const confined = trust === 'trusted' ? wanted : wanted.filter((tier) => tier !== 'copied');
  if (confined.length === 0 && wanted.length > 0) throw new WorkspaceUntrusted('an unconfined command', root);
  return confined;
}
