/**
 * Where a conversation is marked for a provider's prompt cache.
 *
 * A cache entry ends at a mark and is found again by a later request that has a mark at the same place. The last
 * words of the previous request are the user message before the latest one, so marking the latest three finds it
 * even after a turn that was interrupted and asked again.
 *
 * Invariant: at most three messages are marked, which with the one after the system prompt is all a request may have.
 */
import type { Message } from './message.ts';

const marks = 3;

/** The indexes of the messages to mark, among those that can be. */
export function markedMessages(
  messages: readonly Message[],
  tail: 'kept' | 'discarded',
): ReadonlySet<number> {
  const lasting = tail === 'kept' ? messages.length : messages.length - 1;
  const users = messages.flatMap(({ role }, index) => (role === 'user' && index < lasting ? [index] : []));
  return new Set(users.slice(-marks));
}
