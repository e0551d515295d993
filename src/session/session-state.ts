/**
 * The state of a session.
 *
 * Invariant: an ended session has no overlay, so nothing can be shown or committed from it.
 */

import type { Evaluation } from '../evaluation/evaluation.ts';
import type { Overlay } from '../overlay/overlay.ts';

export type SessionState =
  | { readonly kind: 'created' | 'mutated'; readonly overlay: Overlay }
  | { readonly kind: 'evaluating'; readonly overlay: Overlay }
  | { readonly kind: 'evaluated'; readonly overlay: Overlay; readonly evaluation: Evaluation }
  | { readonly kind: 'committed' }
  | { readonly kind: 'discarded' }
  | { readonly kind: 'dirty'; readonly reason: string; readonly cause?: unknown };

export type LiveSessionState = Extract<SessionState, { readonly overlay: Overlay }>;

export function isLive(state: SessionState): state is LiveSessionState {
  return 'overlay' in state;
}
