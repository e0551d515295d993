/**
 * Whether this machine can confine programs that run code of a workspace.
 *
 * Invariant: `available` is returned only after a command in a confinement failed to escape from it.
 */
import { messageOf } from '../base/failure.ts';
import { proveConfinement } from './internal/isolated-sandbox.ts';
import type { Privilege } from './internal/mount-namespace.ts';
import type { ProbeOptions } from './mount.ts';
import { defaultTiers, type Tier } from './sandbox.ts';
import { withDefaults } from './sandbox-limits.ts';

export type Confinement =
  | { readonly kind: 'available'; readonly privilege: Privilege }
  | { readonly kind: 'unavailable'; readonly because: string };

/** Tries a real confinement once per process. Settings without the `isolated` tier turn confinement off. */
export async function probeConfinement(
  { env, log, tiers = defaultTiers }: ProbeOptions & { readonly tiers?: readonly Tier[] },
  signal: AbortSignal,
): Promise<Confinement> {
  if (!tiers.includes('isolated')) {
    return {
      kind: 'unavailable',
      because: 'sandbox.tiers (FORERUN_SANDBOX) does not allow the isolated tier',
    };
  }
  try {
    const limits = withDefaults({});
    return {
      kind: 'available',
      privilege: await proveConfinement({ env, limits, log, because: '' }, signal),
    };
  } catch (thrown) {
    signal.throwIfAborted();
    const because = messageOf(thrown);
    log.info('sandbox.confinement_unavailable', { code: 'sandbox/unavailable', because });
    return { kind: 'unavailable', because };
  }
}
