/** What the language servers say about files as they are now. */
import { z } from 'zod';
import type { LanguageId } from '../../servers/language.ts';
import type { OpenWorkspace } from '../../servers/open-workspaces.ts';
import { type FileDiagnostics, isProved } from '../../servers/proof.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { during, InvalidArgument } from '../failure.ts';
import { locateFile } from '../file-location.ts';
import { word } from '../parameter.ts';
import { defineTool, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { jsonResult, type ToolResult } from '../tool-result.ts';
import { wireDiagnostic } from '../wire-diagnostic.ts';
import { documentSymbols, groupBySymbol } from './symbol-group.ts';

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
      .describe('symbol: group by the function or type they stand in; needs file_path.')
      .optional(),
  }),
  async handle(context, { file_path, group_by }, signal) {
    if (file_path === undefined) {
      if (group_by !== undefined) throw new InvalidArgument('group_by needs file_path', 'Name one file.');
      return forOpenDocuments(context, signal);
    }
    const { open, path } = await during('invalid file path', () => locateFile(context, file_path, signal));
    await during('failed to reopen document', () => open.executor.buffers.readText(path));
    if (group_by === undefined) return render(open, await ask(open, [path], signal));
    return grouped(open, path, signal);
  },
});

async function forOpenDocuments(context: ToolContext, signal: AbortSignal): Promise<ToolResult> {
  const open = context.workspaces.active;
  if (!open) throw new InvalidArgument('LSP client not initialized; call start_lsp first', 'Give file_path.');
  return render(open, await ask(open, context.connection.documents.list(open), signal));
}

/** One lease per language: a server is asked for all of its files at once. */
async function ask(
  open: OpenWorkspace,
  paths: readonly WorkspacePath[],
  signal: AbortSignal,
): Promise<readonly FileDiagnostics[]> {
  const byLanguage = new Map<LanguageId, WorkspacePath[]>();
  for (const path of paths) {
    const language = open.executor.languageFor(path);
    byLanguage.set(language, [...(byLanguage.get(language) ?? []), path]);
  }
  const answers: FileDiagnostics[] = [];
  for (const [language, group] of byLanguage) {
    await during('waiting for diagnostics', async () => {
      await using lease = await open.executor.leaseBuffers(language, signal);
      answers.push(...(await lease.diagnostics(group, { timeoutMs: capMs }, signal)));
    });
  }
  return answers;
}

async function grouped(open: OpenWorkspace, path: WorkspacePath, signal: AbortSignal): Promise<ToolResult> {
  return during('waiting for diagnostics', async () => {
    await using lease = await open.executor.leaseBuffers(open.executor.languageFor(path), signal);
    const [answer] = await lease.diagnostics([path], { timeoutMs: capMs }, signal);
    await lease.open([path]);
    const symbols = await documentSymbols(lease, path, signal);
    const payload = groupBySymbol(symbols, answer?.diagnostics ?? []);
    return jsonResult(payload, metaOf(answer ? [answer] : []));
  });
}

function render(open: OpenWorkspace, answers: readonly FileDiagnostics[]): ToolResult {
  const payload = Object.fromEntries(
    answers.map(({ path, diagnostics }) => [open.workspace.uri(path), diagnostics.map(wireDiagnostic)]),
  );
  const isSettled = answers.every((answer) => answer.proof.kind !== 'none');
  const found = answers.some((answer) => answer.diagnostics.length > 0);
  const hint = found ? 'mend the errors; preview_edit shows what a fix would do.' : 'clean: safe to proceed.';
  return jsonResult(payload, { ...metaOf(answers), ...(answers.length > 0 && isSettled && { hint }) });
}

/** An answer that did not settle says so; it is never left to look clean. */
function metaOf(answers: readonly FileDiagnostics[]): Pick<ToolResult, 'meta'> {
  if (answers.every((answer) => isProved(answer.proof))) return {};
  const isTimedOut = answers.some((answer) => answer.proof.kind === 'none');
  return { meta: { diagnostics: isTimedOut ? { timed_out: true } : { settled_by: 'quiet' } } };
}
