/**
 * Counts the current errors and warnings of some files.
 *
 * Invariant: a count is given only if the diagnostics of every file that a server handles have settled. Otherwise the
 * count is unknown, with the reason.
 */
import { Failure, messageOf } from '../../base/failure.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { type FileDiagnostics, isProved } from '../../servers/proof.ts';
import { NoServerForFile, NoServerForLanguage } from '../../servers/server-register.ts';
import { mapConcurrently } from '../../workspace/concurrency.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { fileDiagnostics } from '../file-diagnostics.ts';
import type { ToolContext } from '../tool-context.ts';
import type { DiagnosticCounts } from '../tool-result.ts';

export type DiagnosticCount =
  | { readonly kind: 'counted'; readonly counts: DiagnosticCounts; readonly settledBy: 'proof' | 'quiet' }
  | { readonly kind: 'unknown'; readonly why: string; readonly details: Readonly<Record<string, unknown>> };

export interface CountRequest {
  readonly view: WorkspaceView;
  readonly paths: readonly WorkspacePath[];
  readonly timeoutMs: number;
}

export async function countDiagnostics(
  context: ToolContext,
  { view, paths, timeoutMs }: CountRequest,
  signal: AbortSignal,
): Promise<DiagnosticCount> {
  try {
    const counted = await countable(view, paths, signal);
    const answers = await fileDiagnostics(view, counted, { timeoutMs }, signal);
    if (answers.some(({ proof }) => proof.kind === 'none')) {
      const why = 'the language server did not settle in time';
      return { kind: 'unknown', why, details: { timed_out: true } };
    }
    const counts = {
      errors: count(answers, 'error'),
      warnings: count(answers, 'warning'),
      files: counted.map((path) => view.workspace.absolute(path)),
    };
    const isSettled = answers.every(({ proof }) => isProved(proof));
    return { kind: 'counted', counts, settledBy: isSettled ? 'proof' : 'quiet' };
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof Failure)) throw thrown;
    context.log.warning('tool.counters-unknown', { code: thrown.code, error: messageOf(thrown) });
    return { kind: 'unknown', why: messageOf(thrown), details: { failed: thrown.code } };
  }
}

/** Deleted files, and files that no server handles, have no diagnostics. */
async function countable(
  { live }: WorkspaceView,
  paths: readonly WorkspacePath[],
  signal: AbortSignal,
): Promise<readonly WorkspacePath[]> {
  const present = paths.filter((path) => live.disk.exists(path));
  const served = await mapConcurrently(present, 16, async (path) => {
    try {
      await live.servers.locate(live.languageFor(path), signal);
      return true;
    } catch (thrown) {
      if (thrown instanceof NoServerForFile || thrown instanceof NoServerForLanguage) return false;
      throw thrown;
    }
  });
  return present.filter((_path, index) => served[index]);
}

function count(answers: readonly FileDiagnostics[], severity: 'error' | 'warning'): number {
  const all = answers.flatMap(({ diagnostics }) => diagnostics);
  return all.filter((diagnostic) => diagnostic.severity === severity).length;
}
