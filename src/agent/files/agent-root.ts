/** The workspaces an agent works in. */
import type { Overlay } from '../../overlay/overlay.ts';
import type { FilePatch } from '../../text/unified-diff.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { AgentFiles } from './agent-files.ts';

export interface AgentRoot {
  /** What a path may begin with to mean this workspace. */
  readonly name: string;
  readonly workspace: Workspace;
  readonly files: AgentFiles;
}

/** One of them as a single tool call sees it. */
export interface RootView {
  readonly name: string;
  readonly workspace: Workspace;
  readonly overlay: Overlay;
}

/** The first is where relative paths start; there is always one. */
export type Roots<Root> = readonly [Root, ...Root[]];

export function viewsOf([first, ...others]: Roots<AgentRoot>): Roots<RootView> {
  return [viewOf(first), ...others.map(viewOf)];
}

export function forkRoots([first, ...others]: Roots<AgentRoot>): Roots<AgentRoot> {
  return [forkRoot(first), ...others.map(forkRoot)];
}

/** A path as people and models are told it: from the first root on, or under the name of another. */
export function shownPath(roots: Roots<RootView>, root: RootView, path: WorkspacePath): string {
  if (root === roots[0]) return path === '' ? '.' : path;
  return path === '' ? root.name : `${root.name}/${path}`;
}

/** A patch with paths as people and models are told them. */
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
