/**
 * A session that exists only during one call.
 *
 * Invariant: the session is removed afterwards, whatever the work throws.
 */
import type { Session } from '../../session/session.ts';
import { during } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { type EditPlace, locateEdit } from './session-edit.ts';

export interface SessionRequest extends EditPlace {
  /** The prefix of a failure to create the session. */
  readonly step?: string;
}

export async function inTemporarySession<T>(
  context: ToolContext,
  request: SessionRequest & { readonly work: (session: Session) => Promise<T> },
  signal: AbortSignal,
): Promise<T> {
  const session = await during(request.step ?? 'create_session failed', async () => {
    const location = await locateEdit(context, request, signal);
    return context.sessions.create({ ...location, lifetime: 'one-call' }, signal);
  });
  try {
    return await request.work(session);
  } finally {
    await context.sessions.destroy(session.id);
  }
}
