/** The result of a commit: the edits in the form the caller asked for. */
import type { Overlay } from '../overlay/overlay.ts';
import { renderContents, renderPatch } from '../overlay/patch.ts';
import { renderWorkspaceEdit } from '../overlay/workspace-edit.ts';
import type { Workspace } from '../workspace/workspace.ts';

export type PatchFormat = 'workspace_edit' | 'contents' | 'unified';

export interface CommitOptions {
  readonly destination:
    | { readonly kind: 'patch' }
    | { readonly kind: 'disk'; readonly onConflict: 'refuse' | 'overwrite' }
    /** Writes the resulting files below another directory; the workspace is unchanged. */
    | { readonly kind: 'directory'; readonly path: string; readonly onConflict: 'refuse' | 'overwrite' };
  readonly patchFormat: PatchFormat;
}

export interface CommitResult {
  readonly filesWritten: number;
  readonly patch: unknown;
  readonly warnings: readonly string[];
}

export function renderCommit(workspace: Workspace, overlay: Overlay, format: PatchFormat): Promise<unknown> {
  switch (format) {
    case 'workspace_edit':
      return renderWorkspaceEdit(workspace, overlay);
    case 'contents':
      return renderContents(workspace, overlay);
    case 'unified':
      return renderPatch(overlay);
  }
}
