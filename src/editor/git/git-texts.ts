/** A file as the last commit, the index and the page have it. */

import type { ShownFiles } from '../../git/change-list.ts';
import { entriesAt, entriesInIndex, type GitEntry } from '../../git/git-entry.ts';
import type { GitRepository } from '../../git/git-repository.ts';
import { RepositoryPaths } from '../../git/repository-overlay.ts';
import { decodeContent } from '../../workspace/content-hash.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { ResultOf } from '../protocol.ts';

export async function fileTexts(
  repository: GitRepository,
  { workspace, shown, path }: ShownFiles & { readonly path: WorkspacePath },
  signal: AbortSignal,
): Promise<ResultOf<'git.texts'>> {
  const name = new RepositoryPaths(repository.top, workspace).fromTop(path);
  const tree = await repository.head(signal);
  const [atHead, inIndex] = await Promise.all([
    entriesAt(repository, { tree, paths: [name] }, signal),
    entriesInIndex(repository, [name], signal),
  ]);
  const entries = { head: atHead.get(name), index: inIndex.get(name) };
  const ids = Object.values(entries).flatMap((entry) => (isFile(entry) ? [entry.blob] : []));
  const blobs = await repository.blobs(ids, signal);
  const contentOf = (entry: GitEntry | undefined): FileContent | undefined => {
    const bytes = isFile(entry) ? blobs.get(entry.blob) : undefined;
    return bytes && decodeContent(bytes);
  };
  const contents = [contentOf(entries.head), contentOf(entries.index), await shown.read(path)];
  const [head, index, now] = contents.map(textOf);
  return {
    ...(head !== undefined && { head }),
    ...(index !== undefined && { index }),
    ...(now !== undefined && { shown: now }),
    isBinary: contents.some((content) => content?.kind === 'binary'),
  };
}

/** A submodule names a commit of another repository. */
function isFile(entry: GitEntry | undefined): entry is GitEntry {
  return entry !== undefined && entry.mode !== '160000';
}

function textOf(content: FileContent | undefined): string | undefined {
  if (content === undefined || content.kind === 'binary') return undefined;
  return content.kind === 'symlink' ? content.target : content.text.replaceAll('\r\n', '\n');
}
