/** Makes one edit in a session. */
import { z } from 'zod';
import { sessionId } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { editInput, editSession, readEdit } from './session-edit.ts';

export const simulateEdit: Tool = defineTool({
  name: 'simulate_edit',
  title: 'Simulate Edit',
  effect: 'overlay',
  description:
    'Replace a range of a file in a session; nothing is written to disk or evaluated yet. An empty range at 1:1 of a missing file creates it; operation creates, deletes or renames a file.',
  input: z.object({
    session_id: sessionId,
    ...editInput,
  }),
  async handle(context, input, signal) {
    const request = readEdit(input);
    const receipt = await during('simulate_edit failed', async () => {
      const session = context.sessions.find(input.session_id);
      const path = await session.workspace.resolve(input.file_path);
      return editSession(session, { path, request }, signal);
    });
    return jsonResult({
      session_id: input.session_id,
      edit_applied: true,
      version_after: receipt.versionAfter,
      ...(receipt.baselineConfidence !== undefined && { baseline_confidence: receipt.baselineConfidence }),
    });
  },
});
