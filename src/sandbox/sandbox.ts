/**
 * A place to run commands against an overlay: a world that is not real yet.
 *
 * Invariant: whatever a command does in an `isolated` or `readonly` sandbox, the workspace and the rest of the
 * machine stay as they are; a `copied` one keeps this only of commands that stay in their directory, and is
 * never taken unless the caller named it. Which tier it is, and why no better one, is part of every answer.
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
  /** Our own environment, of which commands get a harmless part. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** The tiers that will do, the preferred one first; absent: isolated, then readonly. */
  readonly tiers?: readonly Tier[] | undefined;
  readonly limits?: Partial<SandboxLimits> | undefined;
}

/** Opens the first of the tiers that this machine and this workspace allow. */
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
  throw new SandboxUnavailable(refusals.length > 0 ? refusals : ['no tier was named']);
}

/** The tiers that a user names, the default ones for none. To name `copied` is to allow commands to run unconfined. */
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
