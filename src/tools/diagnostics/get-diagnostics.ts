/** The current diagnostics of files. */

import { z } from 'zod';
import { documentSymbols } from '../../code/symbol.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { readText } from '../../overlay/overlay.ts';
import type { FileDiagnostics } from '../../servers/proof.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { budgetInput } from '../answer-budget.ts';
import { InvalidArgument } from '../failure.ts';
import { fileDiagnostics } from '../file-diagnostics.ts';
import { word } from '../parameter.ts';
import { settlingDoubt } from '../settling-doubt.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { jsonResult, type ToolResult } from '../tool-result.ts';
import { wireDiagnostic } from '../wire-diagnostic.ts';
import { groupBySymbol, symbolLines } from './symbol-group.ts';

const capMs = 25_000;

export const getDiagnostics: Tool = defineTool({
  name: 'get_diagnostics',
  title: 'Get Diagnostics',
  effect: 'reads',
  description:
    'Errors and warnings of a file, or of every open document, freshly computed. Positions are zero-based as in LSP.',
  input: z.object({
    file_path: word(
      'Absolute path of the file; absent: every document opened with open_document.',
    ).optional(),
    group_by: z
      .enum(['symbol'])
      .describe('symbol: group by enclosing function or type; needs file_path.')
      .optional(),
    ...budgetInput,
  }),
  async handle(context, { file_path, group_by }, signal) {
    if (file_path === undefined) {
      if (group_by !== undefined) throw new InvalidArgument('group_by needs file_path', 'Name one file.');
      return forOpenDocuments(context, signal);
    }
    const { view, path } = await during('invalid file path', () =>
      context.workspaces.locateFile(file_path, signal),
    );
    await during('failed to reopen document', () => readText(view.overlay, path));
    if (group_by === undefined) return render(view, await ask(view, [path], signal));
    return grouped(view, path, signal);
  },
});

async function forOpenDocuments(context: ToolContext, signal: AbortSignal): Promise<ToolResult> {
  const view = context.workspaces.active;
  if (!view) throw new InvalidArgument('LSP client not initialized; call start_lsp first', 'Give file_path.');
  return render(view, await ask(view, context.connection.documents.list(view), signal));
}

function ask(
  view: WorkspaceView,
  paths: readonly WorkspacePath[],
  signal: AbortSignal,
): Promise<readonly FileDiagnostics[]> {
  return during('waiting for diagnostics', () => fileDiagnostics(view, paths, { timeoutMs: capMs }, signal));
}

async function grouped(view: WorkspaceView, path: WorkspacePath, signal: AbortSignal): Promise<ToolResult> {
  return during('waiting for diagnostics', async () => {
    await using lease = await view.lease(view.languageFor(path), signal);
    const [answer] = await lease.diagnostics([path], { timeoutMs: capMs }, signal);
    await lease.open([path]);
    const symbols = await documentSymbols({ lease, workspace: view.workspace }, path, signal);
    const payload = groupBySymbol(symbolLines(symbols), answer?.diagnostics ?? []);
    return jsonResult(payload, settlingDoubt(answer ? [answer] : []));
  });
}

function render(view: WorkspaceView, answers: readonly FileDiagnostics[]): ToolResult {
  const payload = Object.fromEntries(
    answers.map(({ path, diagnostics }) => [view.workspace.uri(path), diagnostics.map(wireDiagnostic)]),
  );
  const isSettled = answers.every((answer) => answer.proof.kind !== 'none');
  const found = answers.some((answer) => answer.diagnostics.length > 0);
  const hint = found
    ? 'call suggest_fixes at each error, or preview_edit to see what a fix would do.'
    : 'clean: safe to proceed.';
  return jsonResult(payload, { ...settlingDoubt(answers), ...(answers.length > 0 && isSettled && { hint }) });
}
