import type { FileContent } from '../../src/workspace/file-content.ts';
import type { DirectoryEntry, FileSource } from '../../src/workspace/file-source.ts';
import {
  comparePaths,
  isBelow,
  parseWorkspacePath,
  type WorkspacePath,
} from '../../src/workspace/workspace-path.ts';

/** A file source that is a plain map: the model that overlays are held against. */
export class MemorySource implements FileSource {
  readonly files: ReadonlyMap<string, FileContent>;

  constructor(files: Readonly<Record<string, string>> | ReadonlyMap<string, FileContent>) {
    this.files =
      files instanceof Map
        ? files
        : new Map(Object.entries(files).map(([path, text]) => [path, { kind: 'text', text }]));
  }

  async read(path: WorkspacePath): Promise<FileContent | undefined> {
    return this.files.get(path);
  }

  async list(directory: WorkspacePath): Promise<readonly DirectoryEntry[]> {
    const entries = new Map<string, DirectoryEntry>();
    for (const [path, content] of this.files) {
      if (!isBelow(workspacePath(path), directory)) continue;
      const rest = path.slice(directory === '' ? 0 : directory.length + 1);
      const [name = '', ...below] = rest.split('/');
      const kind = below.length > 0 ? 'directory' : content.kind === 'symlink' ? 'symlink' : 'file';
      entries.set(name, { name, kind });
    }
    return [...entries.values()].sort((a, b) => comparePaths(a.name, b.name));
  }
}

/** A path that a test knows to be well formed. */
export function workspacePath(path: string): WorkspacePath {
  const parsed = parseWorkspacePath(path);
  if (parsed === undefined) throw new Error(`not a workspace path: ${path}`);
  return parsed;
}
