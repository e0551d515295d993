/** What the language servers say of several files as they are now, whatever their languages. */

import type { OpenWorkspace } from '../live/open-workspaces.ts';
import type { LanguageId } from '../servers/language.ts';
import type { FileDiagnostics } from '../servers/proof.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

/** One lease per language: a server is asked for all of its files at once. */
export async function fileDiagnostics(
  { executor }: OpenWorkspace,
  paths: readonly WorkspacePath[],
  options: { readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<readonly FileDiagnostics[]> {
  const byLanguage = new Map<LanguageId, WorkspacePath[]>();
  for (const path of paths) {
    const language = executor.languageFor(path);
    byLanguage.set(language, [...(byLanguage.get(language) ?? []), path]);
  }
  const answers: FileDiagnostics[] = [];
  for (const [language, group] of byLanguage) {
    await using lease = await executor.leaseBuffers(language, signal);
    answers.push(...(await lease.diagnostics(group, options, signal)));
  }
  return answers;
}
