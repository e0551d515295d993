/**
 * A sandbox that shows the overlay of a session.
 *
 * Invariant: a session that has ended or is dirty is never shown.
 */
import type { Overlay } from '../../overlay/overlay.ts';
import { defaultTiers, openSandbox, type Sandbox, type Tier } from '../../sandbox/sandbox.ts';
import { tiersFor } from '../../sandbox/trusted-tier.ts';
import { SessionDirty, SessionTerminal } from '../../session/failure.ts';
import type { Session } from '../../session/session.ts';
import { isLive } from '../../session/session-state.ts';
import type { ToolContext } from '../tool-context.ts';

/** The current overlay of a live session. */
export function shownBy(session: Session): Overlay {
  const { id, state } = session;
  if (isLive(state)) return state.overlay;
  if (state.kind === 'dirty') throw new SessionDirty(id, state);
  throw new SessionTerminal(id, state.kind);
}

/** The sandbox tiers that the user allows on this machine. */
export function tiersAllowed({ workspaces }: ToolContext): readonly Tier[] {
  return workspaces.user.tiers?.() ?? defaultTiers;
}

/** `tiers` are the acceptable tiers; absent: those the user allows on this machine. */
export async function openSessionSandbox(
  context: ToolContext,
  request: { readonly session: Session; readonly overlay: Overlay; readonly tiers?: readonly Tier[] },
  signal: AbortSignal,
): Promise<Sandbox> {
  const { session, overlay } = request;
  const { root } = session.workspace;
  const { trust, env } = context.workspaces.user;
  const tiers = tiersFor({ root, trust: trust.trustOf(root) }, request.tiers ?? tiersAllowed(context));
  const options = { env, log: context.log, tiers };
  return openSandbox(session.workspace, overlay, options, signal);
}
