import type { FileSource } from './file-source.ts';
import { childOf, type WorkspacePath } from './workspace-path.ts';

/** Every file below a directory of any source, in the order of its listings; links are named, not entered. */
export async function filesBelow(source: FileSource, directory: WorkspacePath): Promise<WorkspacePath[]> {
  const found: WorkspacePath[] = [];
  for (const entry of await source.list(directory)) {
    const path = childOf(directory, entry.name);
    if (entry.kind === 'directory') found.push(...(await filesBelow(source, path)));
    else found.push(path);
  }
  return found;
}
