/** Finds the Go module of a file, without leaving the workspace. */
import type { WorkspaceView } from '../../../live/workspace-view.ts';
import {
  ancestorsOf,
  childOf,
  parentOf,
  rootPath,
  type WorkspacePath,
} from '../../../workspace/workspace-path.ts';
import type { GoModule } from './toolchain-documentation.ts';

export async function goModuleOf(
  { workspace, overlay }: WorkspaceView,
  path: WorkspacePath,
): Promise<GoModule | undefined> {
  for (const directory of [...ancestorsOf(path), rootPath]) {
    const file = await overlay.read(childOf(directory, 'go.mod'));
    if (file?.kind !== 'text') continue;
    const name = /^module\s+"?([\w.~/][\w.~/-]*)"?/m.exec(file.text)?.[1];
    if (name === undefined) return undefined;
    const below = parentOf(path).slice(directory === rootPath ? 0 : directory.length + 1);
    return { root: workspace.absolute(directory), package: below === '' ? name : `${name}/${below}` };
  }
  return undefined;
}
