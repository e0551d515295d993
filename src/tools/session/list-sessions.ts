/** Lists live and resumable sessions. */
import { z } from 'zod';
import { defineTool, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';

export const listSessions: Tool = defineTool({
  name: 'list_sessions',
  title: 'List Sessions',
  effect: 'reads',
  description: 'Live sessions, and sessions of earlier runs that resume_session can restore.',
  input: z.object({}),
  async handle(context) {
    const sessions = await context.sessions.list();
    return jsonResult({
      sessions: sessions.map((session) => ({
        session_id: session.id,
        status: session.state,
        workspace_root: session.workspaceRoot,
        language: session.language,
        edits: session.edits,
        files: session.files,
        created_at: session.createdAt,
        resumable: session.isResumable,
        ...(session.author !== undefined && { client: session.author }),
        ...(session.title !== undefined && { title: session.title }),
        ...(session.verdict !== undefined && { verdict: session.verdict }),
        ...(session.ownerPid !== undefined && { owner_pid: session.ownerPid }),
      })),
    });
  },
});
