/** The workspaces an agent works in, and how their paths are displayed. */
import type { Overlay } from '../../overlay/overlay.ts';
import type { FilePatch } from '../../text/unified-diff.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { AgentFiles } from './agent-files.ts';

export interface AgentRoot {
  /** The prefix of a path that selects this workspace. */
  readonly name: string;
  readonly workspace: Workspace;
  readonly files: AgentFiles;
}

/** A root as one tool call sees it. */
export interface RootView {
  readonly name: string;
  readonly workspace: Workspace;
  readonly overlay: Overlay;
}

/** Relative paths start at the first root; there is always one. */
export type Roots<Root> = readonly [Root, ...Root[]];

export function viewsOf([first, ...others]: Roots<AgentRoot>): Roots<RootView> {
  return [viewOf(first), ...others.map(viewOf)];
}

export function forkRoots([first, ...others]: Roots<AgentRoot>): Roots<AgentRoot> {
  return [forkRoot(first), ...others.map(forkRoot)];
}

/** The files of a workspace among some roots; undefined if it is not one of them. */
export function filesIn(roots: Roots<AgentRoot>, workspace: Workspace): AgentFiles | undefined {
  return roots.find((root) => root.workspace === workspace)?.files;
}

/** The displayed form of a path: relative to the first root, or prefixed with the name of another root. */
export function shownPath(roots: Roots<RootView>, root: RootView, path: WorkspacePath): string {
  if (root === roots[0]) return path === '' ? '.' : path;
  return path === '' ? root.name : `${root.name}/${path}`;
}

/** A patch with displayed paths. */
export function shownPatch(
  roots: Roots<Pick<AgentRoot, 'workspace'>>,
  { name, workspace }: Pick<AgentRoot, 'name' | 'workspace'>,
  patch: readonly FilePatch[],
): readonly FilePatch[] {
  if (workspace === roots[0].workspace) return patch;
  return patch.map((each) => ({
    ...each,
    ...(each.oldPath !== undefined && { oldPath: `${name}/${each.oldPath}` }),
    ...(each.newPath !== undefined && { newPath: `${name}/${each.newPath}` }),
  }));
}

function viewOf({ name, workspace, files }: AgentRoot): RootView {
  return { name, workspace, overlay: files.overlay() };
}

function forkRoot({ name, workspace, files }: AgentRoot): AgentRoot {
  return { name, workspace, files: files.fork() };
}
