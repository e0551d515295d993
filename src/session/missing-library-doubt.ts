/**
 * The doubt that a library leaves which is not installed where a change is judged.
 *
 * Invariant: no doubt only where nothing that was compared can depend on a missing library: no evaluated file names one,
 * or the change alters nothing that a compiler reads.
 */
import { existsSync } from 'node:fs';
import type { FileChange } from '../overlay/overlay.ts';
import type { Executor } from '../servers/executor.ts';
import { type IsInWorkspace, missingLibraries, missingLibraryDoubt } from '../servers/missing-library.ts';
import type { FileDiagnostics } from '../servers/proof.ts';
import type { ReachFamily } from '../servers/reach/reach-family.ts';
import { keepsTokens } from '../servers/reach/seen-change.ts';
import type { Finding } from './evaluation.ts';

export interface Compared {
  readonly changes: readonly FileChange[];
  readonly before: readonly FileDiagnostics[];
  readonly after: readonly FileDiagnostics[];
  readonly introduced: readonly Finding[];
}

export function doubtOfMissingLibraries(
  { workspace }: Pick<Executor, 'workspace'>,
  family: ReachFamily,
  { changes, before, after, introduced }: Compared,
): string | undefined {
  if (changes.length > 0 && changes.every((change) => keepsTokens(family, change))) return undefined;
  const touched = changes.flatMap(({ path, from }) => [path, from]);
  const isInWorkspace: IsInWorkspace = (path) =>
    touched.some((each) => each === path || each?.startsWith(`${path}/`)) ||
    existsSync(workspace.absolute(path));
  // A module that an unchanged file no longer finds went with the change: that is what was asked, and no doubt.
  const caused = new Set(
    introduced.filter(({ path }) => !touched.includes(path)).map(({ diagnostic }) => diagnostic),
  );
  const found = after.map((answer) => ({
    ...answer,
    diagnostics: answer.diagnostics.filter((diagnostic) => !caused.has(diagnostic)),
  }));
  // What was missing before the change and is not after it can only have hidden errors that now show as introduced.
  const names = missingLibraries(
    family,
    introduced.length > 0 ? [...before, ...found] : found,
    isInWorkspace,
  );
  return names.length > 0 ? missingLibraryDoubt(family, names, isInWorkspace) : undefined;
}
