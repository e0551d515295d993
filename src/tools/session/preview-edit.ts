/** Evaluates one edit in a single call that leaves nothing behind. */

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { LocalEvaluator } from '../../evaluation/local-evaluator.ts';
import { evaluateWhole, evaluationTime } from '../../evaluation/whole-evaluation.ts';
import type { Scope } from '../../servers/projection.ts';
import type { Session } from '../../session/session.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { budgetInput } from '../answer-budget.ts';
import { evaluationHint, partialProgress, sessionEvaluationPayload } from '../evaluation-payload.ts';
import { asFailure, StepFailed } from '../failure.ts';
import { askedTimeout, scope, timeoutMs, word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { jsonResult, type ToolResult, type WhatIfChange } from '../tool-result.ts';
import {
  type EditInput,
  type EditLocation,
  type EditRequest,
  editedOverlay,
  editInput,
  editSession,
  locateEdit,
  namesEdit,
  type PlacedEdit,
  readEdit,
} from './session-edit.ts';

export const previewEdit: Tool = defineTool({
  name: 'preview_edit',
  title: 'Preview Edit',
  aliases: ['simulate_edit_atomic'],
  effect: 'overlay',
  description:
    'What would this edit break or fix? Applies it, by range or by quoted old_text, in memory, asks the language server and discards it; nothing is written to disk. With session_id, the edit stays in that session.',
  input: z.object({
    ...editInput,
    edits: z
      .array(z.object(editInput))
      .describe(
        'More edits of the same change, in any file, made in this order after the one above if there is one.',
      )
      .optional(),
    scope,
    timeout_ms: timeoutMs,
    session_id: word('Preview in this session and keep the edit there.').optional(),
    workspace_root: word("Absolute path of the workspace; default: the file's own.").optional(),
    language: word("Language id; default: the file's own.").optional(),
    ...budgetInput,
  }),
  async handle(context, input, signal) {
    const edits = editsOf(input);
    context.connection.progress('asking the language server');
    const preview: Preview = {
      edits,
      scope: input.scope ?? 'file',
      timeoutMs: askedTimeout(input.timeout_ms),
    };
    if (input.session_id !== undefined) {
      const id = input.session_id;
      const session = await during('apply_edit failed', async () => context.sessions.find(id));
      return previewInSession(context, session, preview, signal);
    }
    const location = await during('create_session failed', async () => {
      const { workspace_root: workspaceRoot, language, file_path: filePath } = input;
      const found = await locateEdit(context, { workspaceRoot, language, filePath }, signal);
      // Without a server for the language, there is nothing to preview.
      await found.live.servers.locate(found.language, signal);
      return found;
    });
    return previewAlone(context, location, preview, signal);
  },
});

type PreviewInput = EditInput & {
  readonly file_path: string;
  readonly edits?: readonly (EditInput & { readonly file_path: string })[] | undefined;
};

/** With a list of edits, the call itself need not be one: its file then only says which server judges. */
function editsOf(input: PreviewInput): Preview['edits'] {
  const { edits = [] } = input;
  const own = edits.length === 0 || namesEdit(input) ? [input] : [];
  const read = (each: EditInput & { readonly file_path: string }) => ({
    filePath: each.file_path,
    request: readEdit(each),
  });
  return [
    ...own.map(read),
    ...edits.map((each, index) => {
      try {
        return read(each);
      } catch (thrown) {
        throw new StepFailed(`edit[${index}]`, asFailure(thrown));
      }
    }),
  ];
}

interface Preview {
  readonly edits: readonly { readonly filePath: string; readonly request: EditRequest }[];
  readonly scope: Scope;
  readonly timeoutMs: number | undefined;
}

/** The edit stays in the session. */
async function previewInSession(
  context: ToolContext,
  session: Session,
  { edits, scope: asked, timeoutMs: limit }: Preview,
  signal: AbortSignal,
): Promise<ToolResult> {
  const placed = await placedEdits(session.workspace, edits);
  const startedAt = performance.now();
  for (const edit of placed)
    await during('apply_edit failed', () => editSession(session, { ...edit, timeoutMs: limit }, signal));
  // The timeout covers both steps: time spent waiting for the server during the edit is subtracted.
  const left = limit === undefined ? undefined : Math.max(1, limit - (performance.now() - startedAt));
  const evaluation = await during('evaluate failed', () =>
    session.evaluate({ scope: asked, timeoutMs: left, onPartial: partialProgress(context) }, signal),
  );
  const { workspace, overlay, language } = session;
  return answer(session, { workspace, overlay, evaluation, language, session });
}

/** The edit is an overlay that exists only during the call. */
async function previewAlone(
  context: ToolContext,
  { live, language }: EditLocation,
  { edits, scope: asked, timeoutMs: limit }: Preview,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { workspace } = live;
  const placed = await placedEdits(workspace, edits);
  const overlay = await during('apply_edit failed', async () => {
    let edited = live.emptyOverlay();
    for (const edit of placed) edited = await editedOverlay(workspace, edited, edit);
    return edited;
  });
  const evaluation = await during('evaluate failed', () =>
    evaluateWhole(
      new LocalEvaluator(live, context.log),
      {
        ...evaluationTime(asked, limit),
        workspace,
        overlay,
        mainLanguage: language,
        caller: 'preview_edit',
        onPartial: partialProgress(context),
      },
      signal,
    ),
  );
  // The contract requires an id; nothing is stored under it.
  return answer({ id: randomUUID(), workspace }, { workspace, overlay, evaluation, language });
}

function placedEdits(workspace: Workspace, edits: Preview['edits']): Promise<readonly PlacedEdit[]> {
  return during('invalid file_path', () =>
    Promise.all(
      edits.map(async ({ filePath, request }) => ({ path: await workspace.resolve(filePath), request })),
    ),
  );
}

function answer(
  session: Pick<Session, 'workspace'> & { readonly id: string },
  change: WhatIfChange,
): ToolResult {
  const { evaluation } = change;
  return jsonResult(sessionEvaluationPayload(session, evaluation), {
    hint: evaluationHint(evaluation),
    whatIf: { kind: 'change', ...change },
  });
}
