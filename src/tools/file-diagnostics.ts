/** The current diagnostics of several files, of any languages. */

import type { WorkspaceView } from '../live/workspace-view.ts';
import type { LanguageId } from '../servers/language.ts';
import type { FileDiagnostics } from '../servers/proof.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

/** Uses one lease per language: a server is asked for all of its files at once. */
export async function fileDiagnostics(
  view: WorkspaceView,
  paths: readonly WorkspacePath[],
  options: { readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<readonly FileDiagnostics[]> {
  const byLanguage = new Map<LanguageId, WorkspacePath[]>();
  for (const path of paths) {
    const language = view.languageFor(path);
    byLanguage.set(language, [...(byLanguage.get(language) ?? []), path]);
  }
  const answers: FileDiagnostics[] = [];
  for (const [language, group] of byLanguage) {
    await using lease = await view.lease(language, signal);
    answers.push(...(await lease.diagnostics(group, options, signal)));
  }
  return answers;
}
