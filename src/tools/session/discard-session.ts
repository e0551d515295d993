/** Discards a session's edits. */
import { z } from 'zod';
import { sessionId } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';

export const discardSession: Tool = defineTool({
  name: 'discard_session',
  title: 'Discard Session',
  effect: 'overlay',
  description: 'Discard all edits of a session; nothing was written to disk.',
  input: z.object({ session_id: sessionId }),
  async handle(context, { session_id }, signal) {
    await during('discard_session failed: discard', async () => {
      const session = await context.sessions.reach(session_id, signal);
      await session.discard(signal);
    });
    return jsonResult({ session_id, status: 'discarded' });
  },
});
