/** Makes several edits one after another and evaluates after each. */

import { z } from 'zod';
import { type Evaluation, verdictOf } from '../../evaluation/evaluation.ts';
import type { ChainResult } from '../../session/chain-result.ts';
import type { Session } from '../../session/session.ts';
import type { TextEdit } from '../../text/text-edit.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { budgetInput } from '../answer-budget.ts';
import { findingsPayload } from '../evaluation-payload.ts';
import { asFailure, InvalidArgument, StepFailed } from '../failure.ts';
import { askedTimeout, text, timeoutMs, wideScope, word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult, type ToolResult } from '../tool-result.ts';
import { type EditRequest, editedOverlay, editInput, readEdit, textEditOf } from './session-edit.ts';
import { inTemporarySession } from './temporary-session.ts';

const noEdits = 'edits array is required and must not be empty';

const { operation: _operation, new_path: _newPath, ...replacement } = editInput;

const chainedEdit = z.object({
  ...replacement,
  new_text: text('Replacement text; empty deletes the range.'),
});

export const simulateChain: Tool = defineTool({
  name: 'simulate_chain',
  title: 'Simulate Chain',
  effect: 'overlay',
  description:
    'Apply edits in order in a session and evaluate after each one: up to which step is it safe? Positions and quotes of an edit refer to the text after the edits before it.',
  input: z.object({
    session_id: word(
      'The session to edit; without it, workspace_root and language select a temporary one.',
    ).optional(),
    workspace_root: word('Absolute path of the workspace of a temporary session.').optional(),
    language: word('Language id of a temporary session.').optional(),
    edits: z
      .array(chainedEdit, { error: noEdits })
      .min(1, { error: noEdits })
      .describe('The edits, in order.'),
    scope: wideScope,
    timeout_ms: timeoutMs,
    ...budgetInput,
  }),
  async handle(context, input, signal) {
    const edits = input.edits.map(readChainedEdit);
    context.connection.progress('asking the language server after each edit');
    const chain = (session: Session): Promise<ToolResult> =>
      chainIn(
        session,
        { edits, scope: input.scope ?? 'workspace', timeoutMs: askedTimeout(input.timeout_ms) },
        signal,
      );
    if (input.session_id !== undefined) {
      const id = input.session_id;
      return chain(await during('simulate_chain failed', async () => context.sessions.find(id)));
    }
    const first = edits[0];
    if (!first) throw new InvalidArgument(noEdits);
    return inTemporarySession(
      context,
      {
        workspaceRoot: input.workspace_root,
        language: input.language,
        filePath: first.filePath,
        work: chain,
      },
      signal,
    );
  },
});

interface ChainedEdit {
  readonly filePath: string;
  readonly request: EditRequest;
}

function readChainedEdit(input: z.infer<typeof chainedEdit>, index: number): ChainedEdit {
  try {
    return { filePath: input.file_path, request: readEdit(input) };
  } catch (thrown) {
    throw new StepFailed(`edit[${index}]`, asFailure(thrown));
  }
}

interface ChainRequest {
  readonly edits: readonly ChainedEdit[];
  readonly scope: Evaluation['scope'];
  readonly timeoutMs: number | undefined;
}

async function chainIn(
  session: Session,
  { edits, ...options }: ChainRequest,
  signal: AbortSignal,
): Promise<ToolResult> {
  const result = await during('simulate_chain failed', async () => {
    return session.chain(await chainSteps(session, edits), options, signal);
  });
  return jsonResult(chainPayload(session, result));
}

/** Each edit as a replacement in the text that the edits before it leave. */
async function chainSteps(
  { workspace, overlay }: Session,
  edits: readonly ChainedEdit[],
): Promise<readonly { readonly path: WorkspacePath; readonly edit: TextEdit }[]> {
  const steps: { path: WorkspacePath; edit: TextEdit }[] = [];
  let shown = overlay;
  for (const [index, { filePath, request }] of edits.entries()) {
    const placed = { path: await workspace.resolve(filePath), request };
    try {
      const edit = await textEditOf(shown, placed);
      if (edit) steps.push({ path: placed.path, edit });
      // Only a later quote needs the text; a position is checked when its step is made.
      if (edits.slice(index + 1).some((later) => later.request.kind === 'quote'))
        shown = await editedOverlay(workspace, shown, placed);
    } catch (thrown) {
      throw new StepFailed(`edit[${index}]`, asFailure(thrown));
    }
  }
  return steps;
}

function chainPayload(session: Session, result: ChainResult): Readonly<Record<string, unknown>> {
  return {
    session_id: session.id,
    steps: result.steps.map(({ step, netDelta, introduced, evaluation }) => ({
      step,
      net_delta: netDelta,
      errors_introduced: findingsPayload(session.workspace, introduced),
      verdict: verdictOf(evaluation).kind,
      scope: evaluation.scope,
      confidence: evaluation.confidence,
      baseline_confidence: evaluation.baselineConfidence,
      timeout: evaluation.timedOut,
      doubts: evaluation.doubts,
    })),
    safe_to_apply_through_step: result.safeToApplyThroughStep,
    cumulative_delta: result.cumulativeDelta,
    safe_prefix_through_step: result.safePrefixThroughStep,
  };
}
