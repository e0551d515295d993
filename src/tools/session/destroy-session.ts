/** Removes a session in any state. */
import { z } from 'zod';
import { sessionId } from '../parameter.ts';
import { defineTool, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';

export const destroySession: Tool = defineTool({
  name: 'destroy_session',
  title: 'Destroy Session',
  effect: 'overlay',
  description: 'Remove a session and all its data. Works in every state; an unknown id is not an error.',
  input: z.object({ session_id: sessionId }),
  async handle(context, { session_id }) {
    const status = await context.sessions.destroy(session_id);
    return jsonResult({
      session_id,
      status,
      ...(status === 'already_destroyed' && {
        note: 'No session has this id; it was already destroyed or never existed.',
      }),
    });
  },
});
