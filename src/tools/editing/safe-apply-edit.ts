/** Writes an edit to disk only when it is seen to break nothing. */
import { z } from 'zod';
import { type Evaluation, isSafeToApply, verdictOf } from '../../evaluation/evaluation.ts';
import type { Session } from '../../session/session.ts';
import { fileCoverage, sessionEvaluationPayload } from '../evaluation-payload.ts';
import { during, InvalidArgument } from '../failure.ts';
import { replaceQuote } from '../old-text.ts';
import { askedTimeout, filePath, flag, text, timeoutMs, wideScope, word } from '../parameter.ts';
import { commitRecorded } from '../session/landed-session.ts';
import { inTemporarySession } from '../session/temporary-session.ts';
import { defineTool, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { jsonResult } from '../tool-result.ts';
import { warned } from './landed-edit.ts';

export const safeApplyEdit: Tool = defineTool({
  name: 'safe_apply_edit',
  title: 'Safe Apply Edit',
  listedAliases: [{ name: 'safe_edit', title: 'Safe Edit' }],
  effect: 'disk',
  description:
    'Replace old_text by new_text in a file, but write it only if the language server reports no new errors; otherwise answer what would break.',
  input: z.object({
    file_path: filePath,
    old_text: word('The passage to replace; white space around lines may differ.'),
    new_text: text('What replaces it.'),
    scope: wideScope,
    timeout_ms: timeoutMs,
    force: flag('Write whatever the preview says.').optional(),
  }),
  async handle(context, input, signal) {
    const work = async (session: Session) => {
      const evaluation = await during('preview failed', () => preview(session, input, signal));
      const isApplied = input.force === true || isSafeToApply(evaluation);
      const committed = isApplied ? await applied(context, session, signal) : undefined;
      return jsonResult(
        { ...sessionEvaluationPayload(session, evaluation), applied: isApplied },
        {
          hint: isApplied ? appliedHint(evaluation) : refusal(evaluation),
          ...warned(committed?.warnings ?? []),
          ...(committed?.landed && { landed: committed.landed }),
        },
      );
    };
    return inTemporarySession(context, { filePath: input.file_path, step: 'preview failed', work }, signal);
  },
});

function applied(
  context: ToolContext,
  session: Session,
  signal: AbortSignal,
): ReturnType<typeof commitRecorded> {
  const destination = { kind: 'disk', onConflict: 'refuse' } as const;
  const options = { destination, patchFormat: 'workspace_edit' } as const;
  return during('apply failed', () => commitRecorded(context, session, options, signal));
}

interface QuotedEdit {
  readonly file_path: string;
  readonly old_text: string;
  readonly new_text: string;
  readonly scope?: Evaluation['scope'] | undefined;
  readonly timeout_ms?: number | undefined;
}

async function preview(session: Session, input: QuotedEdit, signal: AbortSignal): Promise<Evaluation> {
  const path = await session.workspace.resolve(input.file_path);
  await session.transform(
    (overlay) =>
      overlay.editText(path, (before) => {
        const replaced = replaceQuote(before, { oldText: input.old_text, newText: input.new_text });
        if (replaced.kind === 'replaced') return replaced.text;
        throw new InvalidArgument(
          `old_text not found in ${input.file_path}`,
          'Read the file and quote the passage as it stands.',
        );
      }),
    signal,
  );
  return session.evaluate(
    { scope: input.scope ?? 'workspace', timeoutMs: askedTimeout(input.timeout_ms) },
    signal,
  );
}

/** Only what was proved for the whole workspace leaves nothing to do. */
function appliedHint(evaluation: Evaluation): string {
  if (verdictOf(evaluation).kind === 'broken') return 'applied, though it introduces errors; fix them next.';
  if (verdictOf(evaluation).kind === 'unknown') {
    return 'applied; that it breaks nothing is not proved: check with get_diagnostics.';
  }
  if (evaluation.scope === 'workspace') return 'applied; nothing more to do for this edit.';
  return `applied; no errors introduced ${fileCoverage(evaluation)}. Check them with get_diagnostics.`;
}

function refusal(evaluation: Evaluation): string {
  return evaluation.introduced.length > 0
    ? `not applied: it would introduce errors (${evaluation.introduced.length}); change the edit, or force it.`
    : 'not applied: the preview is not certain; try a longer timeout_ms, or force it.';
}
