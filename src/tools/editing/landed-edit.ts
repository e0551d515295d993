/**
 * Edits on their way to the disk, and what the language servers make of the files afterwards.
 *
 * Invariant: an edit lands as a whole or not at all; once it has, nothing that goes wrong in counting errors
 * makes it look as if it had not.
 */
import { Failure, messageOf } from '../../base/failure.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import type { OpenWorkspace } from '../../servers/open-workspaces.ts';
import { type FileDiagnostics, isProved } from '../../servers/proof.ts';
import { NoServerForFile, NoServerForLanguage } from '../../servers/server-register.ts';
import { mapConcurrently } from '../../workspace/concurrency.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { EditConflict } from '../failure.ts';
import { fileDiagnostics } from '../file-diagnostics.ts';
import type { ToolContext } from '../tool-context.ts';
import type { ToolResult } from '../tool-result.ts';

export interface Landing {
  /** Every path that was written, removed or moved away from. */
  readonly written: readonly WorkspacePath[];
  /** The counters every edit tells, for the hint and the metadata of an answer. */
  readonly extras: Pick<ToolResult, 'hint' | 'warnings' | 'meta'>;
}

/** Makes the overlay real and counts what is wrong with the files it touched. */
export async function landEdit(
  context: ToolContext,
  {
    open,
    overlay,
    advice,
  }: { readonly open: OpenWorkspace; readonly overlay: Overlay; readonly advice: string },
  signal: AbortSignal,
): Promise<Landing> {
  await refuseUnsaved(open, [...overlay.layer().keys()]);
  const { written, warnings } = await commitEdit(open, overlay, signal);
  const counted = await countersAfter(context, { open, paths: written, advice }, signal);
  return { written, extras: { ...counted, ...warned(warnings) } };
}

export interface CommittedEdit {
  readonly written: readonly WorkspacePath[];
  /** What the commit did beside what was asked, such as separating hard links. */
  readonly warnings: readonly string[];
}

/** Makes the overlay real; a file that changed meanwhile is a failure, and nothing is written. */
export async function commitEdit(
  { executor }: OpenWorkspace,
  overlay: Overlay,
  signal: AbortSignal,
): Promise<CommittedEdit> {
  const options = { durability: 'process', onConflict: 'refuse' } as const;
  const outcome = await executor.commit(overlay, options, signal);
  if (outcome.kind === 'conflict') throw new EditConflict(outcome.paths);
  return outcome;
}

/** Warnings of a commit as part of an answer. */
export function warned(warnings: readonly string[]): Pick<ToolResult, 'warnings'> {
  return warnings.length > 0 ? { warnings: warnings.map((warning) => `Warning: ${warning}`) } : {};
}

const countingMs = 25_000;

/** `errors_after: N, warnings_after: M.` for the files as they are now; what did not settle is said to be unknown. */
export async function countersAfter(
  context: ToolContext,
  {
    open,
    paths,
    advice,
  }: { readonly open: OpenWorkspace; readonly paths: readonly WorkspacePath[]; readonly advice: string },
  signal: AbortSignal,
): Promise<Landing['extras']> {
  try {
    const counted = await countable(open, paths, signal);
    const answers = await fileDiagnostics(open, counted, { timeoutMs: countingMs }, signal);
    if (answers.every(({ proof }) => proof.kind !== 'none')) {
      const isSettled = answers.every(({ proof }) => isProved(proof));
      return {
        hint: `${counters(count(answers, 'error'), count(answers, 'warning'))}. ${advice}`,
        ...(!isSettled && { meta: { diagnostics: { settled_by: 'quiet' } } }),
      };
    }
    return unknownCounters('the language server did not settle in time', { timed_out: true });
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof Failure)) throw thrown;
    context.log.warning('tool.counters-unknown', { code: thrown.code, error: messageOf(thrown) });
    return unknownCounters(messageOf(thrown), { failed: thrown.code });
  }
}

function unknownCounters(why: string, diagnostics: Readonly<Record<string, unknown>>): Landing['extras'] {
  return {
    hint: `${counters('unknown', 'unknown')}. The edit is on disk, but ${why}; get_diagnostics asks again.`,
    meta: { diagnostics },
  };
}

function counters(errors: number | 'unknown', warnings: number | 'unknown'): string {
  return `errors_after: ${errors}, warnings_after: ${warnings}`;
}

/** Files that are gone, or that no server of this machine reads, have no diagnostics. */
async function countable(
  { executor }: OpenWorkspace,
  paths: readonly WorkspacePath[],
  signal: AbortSignal,
): Promise<readonly WorkspacePath[]> {
  const present = paths.filter((path) => executor.disk.exists(path));
  const served = await mapConcurrently(present, 16, async (path) => {
    try {
      await executor.serverFor(executor.languageFor(path), signal);
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

/** The server was asked about the unsaved text, so what it answered does not fit the file on disk. */
export async function refuseUnsaved(
  { executor }: OpenWorkspace,
  paths: readonly WorkspacePath[],
): Promise<void> {
  const unsaved = new Set((await executor.buffers.changes()).map(({ path }) => path));
  const touched = paths.filter((path) => unsaved.has(path));
  if (touched.length > 0) throw new UnsavedText(touched);
}

class UnsavedText extends Failure {
  readonly code = 'tools/unsaved-text';
  readonly remedy =
    'Close the documents with close_document, or write their text to disk, and repeat the edit.';

  constructor(paths: readonly WorkspacePath[]) {
    super(`opened with text that is not on disk: ${paths.join(', ')}`);
  }
}
