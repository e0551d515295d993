/** Submodules in a patch: git prints the commits they name in place of contents. */
import type { MovedSubmodule } from '../../git/moved-submodule.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import type { Hunk } from '../../text/hunk.ts';
import type { FilePatch } from '../../text/unified-diff.ts';
import { parseWorkspacePath } from '../../workspace/workspace-path.ts';

/** The patch of the files alone, and the submodules that it moves. */
export async function withoutSubmodules(
  disk: Overlay,
  patches: readonly FilePatch[],
): Promise<{ readonly files: readonly FilePatch[]; readonly moved: readonly MovedSubmodule[] }> {
  const found = patches.map(async (patch) => {
    const path = parseWorkspacePath(patch.oldPath ?? patch.newPath ?? '');
    return submoduleIn(patch, path !== undefined && (await disk.read(path)) !== undefined);
  });
  const moved = await Promise.all(found);
  return {
    files: patches.filter((_, at) => moved[at] === undefined),
    moved: moved.filter((each) => each !== undefined),
  };
}

/**
 * The submodule that a patch of one file moves, if it is one. A patch does not say what an existing path is: it is a
 * submodule unless there is a file, which `isFile` reports.
 */
function submoduleIn(
  { oldPath, newPath, oldMode, newMode, hunks }: FilePatch,
  isFile: boolean,
): MovedSubmodule | undefined {
  const path = newPath ?? oldPath;
  if (path === undefined || hunks.length === 0 || !hunks.every(namesCommits)) return undefined;
  const isOne = oldPath === undefined || newPath === undefined ? (newMode ?? oldMode) === gitlink : !isFile;
  return isOne ? { path, isRemoved: newPath === undefined } : undefined;
}

const gitlink = 0o160000;

function namesCommits({ lines }: Hunk): boolean {
  return lines.every(({ text }) => /^Subproject commit [0-9a-f]{40,64}(?:-dirty)?\n?$/.test(text));
}
