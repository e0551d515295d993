/**
 * Whether an overlay is shown to a server as text in its buffers or as files in a mount.
 *
 * Invariant: `buffers` is chosen only if the catalogue says that the server reports for them exactly what it would
 * report for the same files on disk, and it misses nothing that its compiler, which reads files, reports. A server
 * without a compiler is always asked itself.
 */
import type { DiskState } from '../workspace/disk-state.ts';
import { parentOf, type WorkspacePath } from '../workspace/workspace-path.ts';
import { serves } from './file-relevance.ts';
import { needsCompiler } from './go/compiled-edit.ts';
import { extensionOf } from './language.ts';
import type { OverlayEffect } from './overlay-effect.ts';
import type { ServerDefinition } from './server-definition.ts';

export type ProjectionMode = 'buffers' | 'mounted';

/** What is judged: the files an overlay changes, or everything they can affect. */
export type Scope = 'file' | 'workspace';

/** The mode by what the catalogue says of the server. */
export function chooseProjectionMode(
  definition: ServerDefinition,
  effect: OverlayEffect,
  { scope, isOnDisk }: { readonly scope: Scope; readonly isOnDisk: (path: WorkspacePath) => boolean },
): ProjectionMode {
  if (definition.fullCheck?.speaks === 'in-workspace-scope' && scope === 'workspace') return 'mounted';
  const { created, deleted, dependents } = definition.believesUnsaved;
  const mayCreate = (path: WorkspacePath): boolean =>
    created === 'anywhere' ||
    isOnDisk(path) ||
    (created === 'in-existing-directories' && isOnDisk(parentOf(path)));
  const reachesDependents = (path: WorkspacePath): boolean =>
    dependents !== 'translation-units' || (effect.size === 1 && isTranslationUnit(path));
  const areAllBelieved = [...effect].every(([path, content]) => {
    if (!serves(definition, path)) return false;
    if (content === 'removed') return deleted !== 'never';
    return content.kind === 'text' && mayCreate(path) && reachesDependents(path);
  });
  return areAllBelieved ? 'buffers' : 'mounted';
}

/** A C or C++ file that is not included by others, so its text matters to itself alone. */
function isTranslationUnit(path: string): boolean {
  return ['c', 'cc', 'cpp', 'cxx', 'c++'].includes(extensionOf(path));
}

/** As `chooseProjectionMode`, and in a mount too if only the compiler sees what the edit does. */
export async function exactProjectionMode(
  definition: ServerDefinition,
  effect: OverlayEffect,
  { scope, disk }: { readonly scope: Scope; readonly disk: DiskState },
): Promise<ProjectionMode> {
  const mode = chooseProjectionMode(definition, effect, { scope, isOnDisk: (path) => disk.exists(path) });
  if (mode === 'mounted' || definition.fullCheck?.output !== 'go-list') return mode;
  for (const [path, content] of effect) {
    if (content === 'removed' || content.kind !== 'text') continue;
    if (needsCompiler((await disk.text(path)) ?? '', content.text)) return 'mounted';
  }
  return mode;
}
