/**
 * The files of a workspace in a chat: changes are on disk as soon as a tool has made them, and the chat remembers
 * what they replaced.
 *
 * Invariant: every change of the agent passes through `commit`, so `total` includes all of them. Files that commands
 * write themselves are not included.
 */
import {
  type AgentFiles,
  type CommitBinding,
  type FilesOutcome,
  ForkedFiles,
} from '../../agent/files/agent-files.ts';
import type { LiveWorkspace } from '../../live/live-workspace.ts';
import { Overlay } from '../../overlay/overlay.ts';
import { patchesOf } from '../../overlay/patch.ts';
import { changesOf } from '../../servers/projection.ts';
import { type FilePatch, makeFilePatch } from '../../text/unified-diff.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import { comparePaths, type WorkspacePath } from '../../workspace/workspace-path.ts';

export class ChatFiles implements AgentFiles {
  readonly #live: LiveWorkspace;
  /** The content of each file before it was first changed. */
  readonly #origins = new Map<WorkspacePath, FileContent | undefined>();

  constructor(live: LiveWorkspace) {
    this.#live = live;
  }

  overlay(): Overlay {
    return this.#live.emptyOverlay();
  }

  fork(): AgentFiles {
    return new ForkedFiles(Overlay.on(this.overlay()));
  }

  async commit(changed: Overlay, binding: CommitBinding, signal: AbortSignal): Promise<FilesOutcome> {
    const changes = await changesOf(changed);
    const options = { durability: 'process', onConflict: 'refuse', ...binding } as const;
    const outcome = await this.#live.commits.commit(changed, options, signal);
    if (outcome.kind === 'conflict') return outcome;
    for (const { path, from, before } of changes) {
      if (from !== undefined) this.#note(from, before);
      this.#note(path, from === undefined ? before : undefined);
    }
    return { kind: 'committed', patch: patchesOf(changes), warnings: outcome.warnings };
  }

  /** The difference between now and before the chat. */
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
