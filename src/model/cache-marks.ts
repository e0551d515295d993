/**
 * The positions of marks for a provider's prompt cache.
 *
 * A cache entry ends at a mark and is found by a later request with a mark at the same position. The end of the
 * previous request is the user message before the latest one, so marking the latest three finds it even after an
 * interrupted and repeated turn.
 *
 * Invariant: at most three messages are marked; with the mark after the system prompt, that is the maximum of a
 * request.
 */
import type { Message } from './message.ts';

const marks = 3;

/** The indexes of the messages to mark, among those that can be marked. */
export function markedMessages(
  messages: readonly Message[],
  tail: 'kept' | 'discarded',
): ReadonlySet<number> {
  const lasting = tail === 'kept' ? messages.length : messages.length - 1;
  const users = messages.flatMap(({ role }, index) => (role === 'user' && index < lasting ? [index] : []));
  return new Set(users.slice(-marks));
}
