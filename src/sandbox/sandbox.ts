/**
 * Runs commands on an overlay, without changing the disk.
 *
 * Invariant: a command in an `isolated` or `readonly` sandbox changes neither the workspace nor the rest of the
 * machine. A `copied` sandbox guarantees this only for commands that stay in their directory, and is never used
 * unless the caller names it. Every answer names the tier and why it is not a better one.
 */
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { openCopied } from './internal/copied-sandbox.ts';
import { openIsolated } from './internal/isolated-sandbox.ts';
import { openReadonly } from './internal/readonly-sandbox.ts';
import { SandboxUnavailable, UnknownTier } from './sandbox-failure.ts';
import { type SandboxLimits, withDefaults } from './sandbox-limits.ts';
import type { Sandbox, SandboxRequest, Tier } from './sandbox-tier.ts';

export type { Sandbox, Tier } from './sandbox-tier.ts';

export interface SandboxOptions {
  /** Our environment, of which commands get a harmless part. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** The acceptable tiers, the preferred one first; absent: isolated, then readonly. */
  readonly tiers?: readonly Tier[] | undefined;
  readonly limits?: Partial<SandboxLimits> | undefined;
}

/** Opens the first tier that this machine and workspace support. */
export async function openSandbox(
  workspace: Workspace,
  overlay: Overlay,
  options: SandboxOptions,
  signal: AbortSignal,
): Promise<Sandbox> {
  const { env, log } = options;
  const limits = withDefaults(options.limits ?? {});
  const refusals: string[] = [];
  for (const tier of options.tiers ?? defaultTiers) {
    try {
      const request = { workspace, overlay, env, limits, log, because: refusals.join('; ') };
      return await openers[tier](request, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      refusals.push(`${tier} is not possible: ${messageOf(thrown)}`);
      log.info('sandbox.tier_refused', { tier, code: 'sandbox/unavailable', cause: messageOf(thrown) });
    }
  }
  throw new SandboxUnavailable(refusals.length > 0 ? refusals : ['no tier was given']);
}

/** The tiers named by a user; the default ones if empty. Naming `copied` permits commands to run unconfined. */
export function parseTiers(words: readonly string[]): readonly Tier[] {
  return words.length > 0 ? words.map(tierOf) : defaultTiers;
}

const openers: Readonly<Record<Tier, (request: SandboxRequest, signal: AbortSignal) => Promise<Sandbox>>> = {
  isolated: openIsolated,
  copied: openCopied,
  readonly: openReadonly,
};

export const defaultTiers: readonly Tier[] = ['isolated', 'readonly'];

function tierOf(word: string): Tier {
  if (word === 'isolated' || word === 'copied' || word === 'readonly') return word;
  throw new UnknownTier(word);
}
