/**
 * Finds the open workspace of a file in a tool call, and the language that judges an edit to it.
 *
 * Invariant: the path lies inside the workspace after symlinks are resolved.
 */
import { fileURLToPath } from 'node:url';
import { judgingLanguage } from '../live/data-reader.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { WorkspaceView } from '../live/workspace-view.ts';
import { readText } from '../overlay/file-operation.ts';
import { type LanguageId, languageId } from '../servers/language.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { ToolContext } from './tool-context.ts';

export interface FileLocation {
  readonly view: WorkspaceView;
  readonly path: WorkspacePath;
}

/** Opens the file's workspace if none is open yet. */
export async function locateFile(
  context: ToolContext,
  pathOrUri: string,
  signal: AbortSignal,
): Promise<FileLocation> {
  const filePath = pathOrUri.startsWith('file:///') ? fileURLToPath(pathOrUri) : pathOrUri;
  const view = await context.workspaces.forFile(filePath, signal);
  return { view, path: await view.workspace.resolve(filePath) };
}

/** Fails if there is no text file at the place, as its reader sees it. */
export async function requireText(
  context: ToolContext,
  pathOrUri: string,
  signal: AbortSignal,
): Promise<void> {
  const { view, path } = await locateFile(context, pathOrUri, signal);
  await readText(view.overlay, path);
}

/** What a call says about where an edit belongs. */
export interface EditPlace {
  readonly workspaceRoot?: string | undefined;
  readonly language?: string | undefined;
  /** Determines workspace and language if the caller gives none. */
  readonly filePath: string;
}

export interface EditLocation {
  readonly live: LiveWorkspace;
  readonly language: LanguageId;
}

/** The workspace and language of an edit, from the arguments of the call. */
export async function locateEdit(
  context: ToolContext,
  { workspaceRoot, language, filePath }: EditPlace,
  signal: AbortSignal,
): Promise<EditLocation> {
  const named = language === undefined ? undefined : languageId(language);
  if (workspaceRoot !== undefined) {
    const { workspace, live } = await context.workspaces.use(workspaceRoot, signal);
    return { live, language: named ?? judgingLanguage(live, await workspace.resolve(filePath)) };
  }
  const { view, path } = await locateFile(context, filePath, signal);
  return { live: view.live, language: named ?? judgingLanguage(view.live, path) };
}
