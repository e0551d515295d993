/** Writes an edit to disk only if the preview shows no new errors. */
import { z } from 'zod';
import {
  type Evaluation,
  isSafeToApply,
  type PartialEvaluation,
  verdictOf,
} from '../../evaluation/evaluation.ts';
import { editText } from '../../overlay/overlay.ts';
import type { Session } from '../../session/session.ts';
import { fileCoverage, partialProgress, sessionEvaluationPayload } from '../evaluation-payload.ts';
import { InvalidArgument } from '../failure.ts';
import { replaceQuote } from '../old-text.ts';
import { askedTimeout, filePath, flag, text, timeoutMs, wideScope, word } from '../parameter.ts';
import { commitRecorded } from '../session/landed-session.ts';
import { inTemporarySession } from '../session/temporary-session.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { jsonResult } from '../tool-result.ts';
import { warned } from './landed-edit.ts';

export const safeApplyEdit: Tool = defineTool({
  name: 'safe_apply_edit',
  title: 'Safe Apply Edit',
  listedAliases: [{ name: 'safe_edit', title: 'Safe Edit' }],
  effect: 'disk',
  description:
    'Replace old_text with new_text in a file, but write it only if the language server reports no new errors; otherwise report what would break.',
  input: z.object({
    file_path: filePath,
    old_text: word('The text to replace; white space around lines may differ.'),
    new_text: text('The replacement text.'),
    scope: wideScope,
    timeout_ms: timeoutMs,
    force: flag('Write the edit whatever the preview shows.').optional(),
  }),
  async handle(context, input, signal) {
    const work = async (session: Session) => {
      const evaluation = await during('preview failed', () =>
        preview(session, { ...input, onPartial: partialProgress(context) }, signal),
      );
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
  readonly onPartial: (partial: PartialEvaluation) => void;
}

async function preview(session: Session, input: QuotedEdit, signal: AbortSignal): Promise<Evaluation> {
  const path = await session.workspace.resolve(input.file_path);
  await session.transform(
    (overlay) =>
      editText(overlay, path, (before) => {
        const replaced = replaceQuote(before, { oldText: input.old_text, newText: input.new_text });
        if (replaced.kind === 'replaced') return replaced.text;
        throw new InvalidArgument(
          `old_text not found in ${input.file_path}`,
          'Read the file and quote the text exactly.',
        );
      }),
    signal,
  );
  return session.evaluate(
    {
      scope: input.scope ?? 'workspace',
      timeoutMs: askedTimeout(input.timeout_ms),
      onPartial: input.onPartial,
    },
    signal,
  );
}

/** Only an edit proved for the whole workspace needs no further check. */
function appliedHint(evaluation: Evaluation): string {
  if (verdictOf(evaluation).kind === 'broken') return 'applied although it introduces errors; fix them next.';
  if (verdictOf(evaluation).kind === 'unknown') {
    return 'applied, but not proved to be safe: check with get_diagnostics.';
  }
  if (evaluation.scope === 'workspace') return 'applied; nothing more to do for this edit.';
  return `applied; no errors introduced ${fileCoverage(evaluation)}. Check them with get_diagnostics.`;
}

function refusal(evaluation: Evaluation): string {
  return evaluation.introduced.length > 0
    ? `not applied: it would introduce errors (${evaluation.introduced.length}); change the edit, or set force.`
    : 'not applied: the preview is not proved; use a longer timeout_ms, or set force.';
}
