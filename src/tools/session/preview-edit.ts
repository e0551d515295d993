/** Shows what one edit would do, in one call that leaves nothing behind. */

import { z } from 'zod';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { Session } from '../../session/session.ts';
import { budgetInput } from '../answer-budget.ts';
import { evaluationHint, evaluationPayload } from '../evaluation-payload.ts';
import { during } from '../failure.ts';
import { askedTimeout, scope, timeoutMs, word } from '../parameter.ts';
import { defineTool, type Tool } from '../tool.ts';
import { jsonResult, type ToolResult } from '../tool-result.ts';
import { applyEdit, type EditRequest, editInput, readEdit } from './session-edit.ts';
import { inTemporarySession } from './temporary-session.ts';

export const previewEdit: Tool = defineTool({
  name: 'preview_edit',
  title: 'Preview Edit',
  aliases: ['simulate_edit_atomic'],
  effect: 'overlay',
  description:
    'What would this edit break or mend? Applies it in memory, asks the language server, and forgets it; the disk is not touched. With session_id the edit stays in that session.',
  input: z.object({
    ...editInput,
    scope,
    timeout_ms: timeoutMs,
    session_id: word('Preview inside this session and keep the edit there.').optional(),
    workspace_root: word("Absolute path of the workspace; default: the file's own.").optional(),
    language: word("Language id; default: the file's own.").optional(),
    ...budgetInput,
  }),
  async handle(context, input, signal) {
    const request = readEdit(input);
    context.connection.progress('asking the language server');
    const preview = (session: Session): Promise<ToolResult> =>
      previewIn(session, { ...input, request, timeoutMs: askedTimeout(input.timeout_ms) }, signal);
    if (input.session_id !== undefined) {
      const id = input.session_id;
      return preview(await during('apply_edit failed', async () => context.sessions.find(id)));
    }
    return inTemporarySession(
      context,
      {
        workspaceRoot: input.workspace_root,
        language: input.language,
        filePath: input.file_path,
        work: preview,
      },
      signal,
    );
  },
});

interface PreviewRequest {
  readonly file_path: string;
  readonly request: EditRequest;
  readonly scope?: Evaluation['scope'] | undefined;
  readonly timeoutMs: number | undefined;
}

async function previewIn(
  session: Session,
  preview: PreviewRequest,
  signal: AbortSignal,
): Promise<ToolResult> {
  const path = await during('invalid file_path', () => session.workspace.resolve(preview.file_path));
  const { request, scope: asked = 'file', timeoutMs: limit } = preview;
  const startedAt = performance.now();
  await during('apply_edit failed', () => applyEdit(session, { path, request, timeoutMs: limit }, signal));
  // The time the caller grants is for both: a server that is not ready for the edit is not waited for twice.
  const left = limit === undefined ? undefined : Math.max(1, limit - (performance.now() - startedAt));
  const evaluation = await during('evaluate failed', () =>
    session.evaluate({ scope: asked, timeoutMs: left }, signal),
  );
  return jsonResult(evaluationPayload(session, evaluation), { hint: evaluationHint(evaluation) });
}
