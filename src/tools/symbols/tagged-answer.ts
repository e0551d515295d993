/**
 * The common part of tools that read one file: an answer the caller already has is not computed again, and every
 * other answer carries its tag and its token savings.
 *
 * Invariant: the tag is computed from the text before the question, so a change in between makes the next tag differ.
 */
import type { WorkspaceView } from '../../live/workspace-view.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { etagOf, notModified } from '../etag.ts';
import { withTokenSavings } from '../token-savings.ts';
import type { ToolContext } from '../tool-context.ts';
import type { ToolResult } from '../tool-result.ts';

export interface TaggedRequest {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>> & {
    readonly file_path: string;
    readonly if_none_match?: string | undefined;
  };
  /** `workspace` for an answer that also depends on other files. */
  readonly restsOn: 'file' | 'workspace';
}

export interface TaggedFile {
  readonly etag: string;
  readonly view: WorkspaceView;
  readonly path: WorkspacePath;
}

export async function taggedAnswer(
  context: ToolContext,
  { tool, input, restsOn }: TaggedRequest,
  signal: AbortSignal,
  answer: (file: TaggedFile) => Promise<ToolResult>,
): Promise<ToolResult> {
  const { view, path } = await context.workspaces.locateFile(input.file_path, signal);
  const content = await view.overlay.read(path);
  const beyond = restsOn === 'workspace' ? await workspaceState(view, signal) : '';
  const etag = etagOf({ tool, content, input, beyond });
  const unchanged = content && notModified(etag, input.if_none_match);
  if (unchanged) return unchanged;
  return withTokenSavings(await answer({ etag, view, path }), view.workspace.absolute(path));
}

/** Epochs start again in every process, so the tag includes the process. */
async function workspaceState({ live }: WorkspaceView, signal: AbortSignal): Promise<string> {
  await live.syncWithDisk(signal);
  return `${process.pid}@${performance.timeOrigin}:${live.disk.epoch}`;
}
