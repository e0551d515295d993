/** `forerun/overlay`: files with changes over them, patches, and writing them in one transaction. */
export { type CommitOutcome, commitOverlay } from '../overlay/commit/commit.ts';
export { editText, type FileChange, moveFile, Overlay, readText } from '../overlay/overlay.ts';
export { applyPatch, renderPatch } from '../overlay/patch.ts';
export { applyWorkspaceEdit, parseWorkspaceEdit, renderWorkspaceEdit } from '../overlay/workspace-edit.ts';
export { stateDirectory } from '../storage/user-directories.ts';
export type { Position, Range } from '../text/position.ts';
export type { TextEdit } from '../text/text-edit.ts';
export { type FilePatch, parseUnifiedDiff, printUnifiedDiff } from '../text/unified-diff.ts';
export { Baseline } from '../workspace/baseline.ts';
export { DiskSource } from '../workspace/disk-source.ts';
export type { FileContent } from '../workspace/file-content.ts';
export type { FileSource } from '../workspace/file-source.ts';
export { Workspace } from '../workspace/workspace.ts';
export type { WorkspacePath } from '../workspace/workspace-path.ts';
