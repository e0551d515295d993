/** The edits of a session as entries of a tree. */
import type { LayerEntry } from '../overlay/overlay.ts';
import { SessionNotEvaluable } from '../session/failure.ts';
import type { Session } from '../session/session.ts';
import { isLive } from '../session/session-state.ts';
import { hashContent } from '../workspace/content-hash.ts';
import { DiskSource } from '../workspace/disk-source.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export type MergedSession = Pick<Session, 'id' | 'workspace' | 'state' | 'overlay'>;

/** Finds a session by its id, whichever process owns it. */
export type SessionLookup = (id: string, signal: AbortSignal) => Promise<MergedSession>;

export interface SessionEntries {
  readonly entries: readonly (readonly [WorkspacePath, LayerEntry])[];
  /** What the files hold that the entries replace. */
  readonly before: readonly (readonly [WorkspacePath, FileContent])[];
  /** Files that have changed on disk since the session was made on them: it cannot be committed either. */
  readonly stale: readonly WorkspacePath[];
}

export async function sessionEntries({
  id,
  workspace,
  state,
  overlay,
}: MergedSession): Promise<SessionEntries> {
  if (!isLive(state)) throw new SessionNotEvaluable(id, state.kind);
  const disk = new DiskSource(workspace);
  const changes = await overlay.changes('stack');
  const entries = changes.flatMap(
    ({ path, from, after }): readonly (readonly [WorkspacePath, LayerEntry])[] => [
      ...(from === undefined ? [] : [[from, 'removed'] as const]),
      [path, after ?? 'removed'],
    ],
  );
  const replaced = changes.map(({ path, from, beforeHash }) => ({ path: from ?? path, beforeHash }));
  const before: (readonly [WorkspacePath, FileContent])[] = [];
  const stale: WorkspacePath[] = [];
  for (const { path, beforeHash } of replaced) {
    const content = await disk.read(path);
    if (hashContent(content) !== beforeHash) stale.push(path);
    else if (content) before.push([path, content]);
  }
  return { entries, before, stale };
}
