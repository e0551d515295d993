/**
 * Pairs removed and added files into moves.
 *
 * Invariant: a move is reported only for equal content, and each file is moved once.
 */
import type { Move, Overlay } from '../../overlay/overlay.ts';
import { mapConcurrently } from '../../workspace/concurrency.ts';
import { hashContent } from '../../workspace/content-hash.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import { filesBelow } from '../../workspace/files-below.ts';
import { baseName, comparePaths, type WorkspacePath } from '../../workspace/workspace-path.ts';

/** With more removed files, reading them all would take too long. */
const maxRemoved = 5000;

export async function findMoves(
  shown: Overlay,
  removed: readonly WorkspacePath[],
  entries: ReadonlyMap<WorkspacePath, FileContent>,
): Promise<Move[]> {
  if (removed.length === 0 || entries.size === 0) return [];
  const came = await mapConcurrently([...entries], 16, async ([path, content]) =>
    isTelling(content) && (await shown.read(path)) === undefined
      ? [{ path, hash: hashContent(content) }]
      : [],
  );
  if (came.flat().length === 0) return [];
  const below = await mapConcurrently(removed, 16, async (path) => {
    const files = await filesBelow(shown, path);
    return files.length > 0 ? files : [path];
  });
  const went = below.flat();
  if (went.length > maxRemoved) return [];
  const sources = new Map<string, WorkspacePath[]>();
  await mapConcurrently(went.sort(comparePaths), 16, async (path) => {
    const content = await shown.read(path);
    const hash = hashContent(content);
    if (content !== undefined) sources.set(hash, [...(sources.get(hash) ?? []), path]);
  });
  return came.flat().flatMap(({ path, hash }) => {
    const candidates = sources.get(hash) ?? [];
    const from = candidates.find((each) => baseName(each) === baseName(path)) ?? candidates[0];
    if (from === undefined) return [];
    sources.set(
      hash,
      candidates.filter((each) => each !== from),
    );
    return [{ from, to: path }];
  });
}

/** Empty files are all equal, and links are not read as they are written. */
function isTelling(content: FileContent): boolean {
  if (content.kind === 'text') return content.text !== '';
  return content.kind === 'binary' && content.bytes.length > 0;
}
