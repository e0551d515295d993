/**
 * Which changes on disk the verdict of unsaved text may rest on.
 *
 * Invariant: in doubt a change counts. It is left out only if no server that judges the unsaved files reads such files, and
 * if it does not decide which files are sources.
 */
import type { LiveWorkspace } from '../live/live-workspace.ts';
import { affectsServer } from '../servers/file-relevance.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import { isIgnoreTerm, isManifest } from '../workspace/ignore-rules.ts';
import { baseName, type WorkspacePath } from '../workspace/workspace-path.ts';

/** An empty report says that changes were missed. */
export function mayAffectVerdict(
  live: LiveWorkspace,
  unsaved: readonly WorkspacePath[],
  events: readonly FileEvent[],
): boolean {
  if (events.length === 0) return true;
  const { register } = live.servers;
  const affected = (path: WorkspacePath) => register.languagesThat(affectsServer, path);
  const asked = new Set(unsaved.flatMap(affected));
  const own = new Set(unsaved);
  return events.some(({ path }) => {
    const name = baseName(path);
    if (own.has(path) || isIgnoreTerm(name) || isManifest(name)) return true;
    return affected(path).some((language) => asked.has(language));
  });
}
