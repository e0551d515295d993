/** Forgets a session, whatever state it is in. */
import { z } from 'zod';
import { sessionId } from '../parameter.ts';
import { defineTool, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';

export const destroySession: Tool = defineTool({
  name: 'destroy_session',
  title: 'Destroy Session',
  effect: 'overlay',
  description: 'Forget a session and everything it holds. Works in every state; an unknown id is no error.',
  input: z.object({ session_id: sessionId }),
  async handle(context, { session_id }) {
    const status = await context.sessions.destroy(session_id);
    return jsonResult({
      session_id,
      status,
      ...(status === 'already_destroyed' && {
        note: 'No session has this id; it was destroyed before or never existed.',
      }),
    });
  },
});
