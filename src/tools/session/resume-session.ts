/** Restores a session of an earlier run. */
import { z } from 'zod';
import { word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';

export const resumeSession: Tool = defineTool({
  name: 'resume_session',
  title: 'Resume Session',
  effect: 'overlay',
  description: 'Restore a session of an earlier run; list_sessions shows the resumable ones.',
  input: z.object({ session_id: word('An id from list_sessions.') }),
  async handle(context, { session_id }, signal) {
    const session = await during('resume_session failed', () => context.sessions.resume(session_id, signal));
    return jsonResult({
      session_id: session.id,
      status: session.state.kind,
      workspace_root: session.workspace.root,
      language: session.language,
    });
  },
});
