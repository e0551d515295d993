import { neverAborts } from '../base/never-aborts.ts';
import type { FileSource } from './file-source.ts';
import { walkTree } from './tree-walk.ts';
import { childOf, comparePaths, type WorkspacePath } from './workspace-path.ts';

/** Every file below a directory of any source, sorted by path; links are listed, not followed. */
export async function filesBelow(source: FileSource, directory: WorkspacePath): Promise<WorkspacePath[]> {
  const found: WorkspacePath[] = [];
  const visit = async (at: WorkspacePath): Promise<readonly WorkspacePath[]> => {
    const below: WorkspacePath[] = [];
    for (const { name, kind } of await source.list(at)) {
      (kind === 'directory' ? below : found).push(childOf(at, name));
    }
    return below;
  };
  await walkTree(directory, { visit }, neverAborts());
  return found.sort(comparePaths);
}
