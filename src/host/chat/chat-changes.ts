/**
 * What a chat has done to the files of a workspace.
 *
 * Invariant: everything the agent changes passes through `commit`, so nothing it wrote is missing here. What commands
 * do to the disk by themselves is not in it.
 */
import type { CommitBinding } from '../../agent/files/agent-files.ts';
import type { LiveWorkspace } from '../../live/live-workspace.ts';
import type { CommitOutcome } from '../../overlay/commit/commit.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import { renderPatch } from '../../overlay/patch.ts';
import { changesOf } from '../../servers/overlay-effect.ts';
import { type FilePatch, makeFilePatch, parseUnifiedDiff } from '../../text/unified-diff.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import { comparePaths, type WorkspacePath } from '../../workspace/workspace-path.ts';

export class ChatChanges {
  readonly #live: LiveWorkspace;
  /** Each file as it was before it was first changed. */
  readonly #origins = new Map<WorkspacePath, FileContent | undefined>();
  #landed: FilePatch[] = [];

  constructor(live: LiveWorkspace) {
    this.#live = live;
  }

  async commit(overlay: Overlay, together: CommitBinding, signal: AbortSignal): Promise<CommitOutcome> {
    const changes = await changesOf(overlay);
    const patches = parseUnifiedDiff(await renderPatch(overlay));
    const options = { durability: 'process', onConflict: 'refuse', ...together } as const;
    const outcome = await this.#live.commits.commit(overlay, options, signal);
    if (outcome.kind === 'conflict') return outcome;
    for (const { path, from, before } of changes) {
      if (from !== undefined) this.#note(from, before);
      this.#note(path, from === undefined ? before : undefined);
    }
    this.#landed.push(...patches);
    return outcome;
  }

  /** What landed since this was asked last. */
  takeLanded(): readonly FilePatch[] {
    const landed = this.#landed;
    this.#landed = [];
    return landed;
  }

  /** What is different now from how it was before the chat. */
  async total(): Promise<readonly FilePatch[]> {
    const patches: FilePatch[] = [];
    for (const [path, before] of [...this.#origins].sort(([a], [b]) => comparePaths(a, b))) {
      const after = await this.#live.emptyOverlay().read(path);
      const [old, next] = [textIn(before), textIn(after)];
      if (old === 'binary' || next === 'binary') {
        patches.push({ kind: 'binary', oldPath: path, newPath: path, hunks: [] });
      } else if (old !== next) {
        patches.push(makeFilePatch({ oldPath: path, newPath: path, before: old, after: next }));
      }
    }
    return patches;
  }

  async undo(signal: AbortSignal): Promise<string> {
    const outcome = await this.#live.commits.undo(signal);
    switch (outcome.kind) {
      case 'nothing':
        return 'There is nothing to undo.';
      case 'conflict':
        return `Nothing was undone: ${outcome.paths.join(', ')} changed since.`;
      case 'committed':
        return `Undone: ${outcome.written.join(', ')}`;
    }
  }

  #note(path: WorkspacePath, before: FileContent | undefined): void {
    if (!this.#origins.has(path)) this.#origins.set(path, before);
  }
}

function textIn(content: FileContent | undefined): string | 'binary' | undefined {
  if (content === undefined) return undefined;
  return content.kind === 'text' ? content.text : 'binary';
}
