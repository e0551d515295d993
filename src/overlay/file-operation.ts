/** Operations on the files of an overlay that are written in terms of reading and writing it. */
import { mapConcurrently } from '../workspace/concurrency.ts';
import type { FileContent } from '../workspace/file-content.ts';
import { existsIn, type FileSource } from '../workspace/file-source.ts';
import { filesBelow } from '../workspace/files-below.ts';
import { isBelow, moveBelow, type WorkspacePath } from '../workspace/workspace-path.ts';
import type { Overlay } from './overlay.ts';
import { NoSuchFile, NotAFilePath, NotText } from './overlay-failure.ts';

/** The text at `path`; fails if there is none. */
export async function readText(
  source: FileSource,
  path: WorkspacePath,
): Promise<FileContent & { readonly kind: 'text' }> {
  const content = await source.read(path);
  if (content === undefined) throw new NoSuchFile(path);
  if (content.kind !== 'text') throw new NotText(path);
  return content;
}

/** Rewrites an existing text, keeping its byte order mark and mode. */
export async function editText(
  overlay: Overlay,
  path: WorkspacePath,
  edit: (text: string) => string,
): Promise<Overlay> {
  const content = await readText(overlay, path);
  return overlay.write(path, { ...content, text: edit(content.text) });
}

/** Moves a file, or a directory with everything in it, and replaces whatever is at `to`. */
export async function moveFile(overlay: Overlay, from: WorkspacePath, to: WorkspacePath): Promise<Overlay> {
  if (from === to) return overlay;
  const isFile = (await overlay.read(from)) !== undefined;
  if (!isFile && isBelow(to, from)) throw new NotAFilePath(from);
  const paths = isFile ? [from] : await filesBelow(overlay, from);
  if (paths.length === 0) throw new NoSuchFile(from);
  const moves = paths.map((path) => ({ from: path, to: moveBelow(path, from, to) }));
  const contents = await mapConcurrently(paths, 16, (path) => overlay.read(path));
  const written = moves.map((move, index) => [move.to, contents[index] ?? 'removed'] as const);
  const cleared = !isFile && (await existsIn(overlay, to)) ? [[to, 'removed'] as const] : [];
  return overlay.writeAll([[from, 'removed'], ...cleared, ...written], moves);
}
