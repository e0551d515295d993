/**
 * A file of the workspace as the editor first meets it: text that can be edited, something that is no text, or too much.
 *
 * Invariant: a path is followed through links before it is used, and refused if it leads out of the workspace. No more
 * is read of a file than its kind needs.
 */
import { open, stat } from 'node:fs/promises';
import { isMissing } from '../base/errno.ts';
import { NoSuchFile } from '../overlay/overlay-failure.ts';
import type { FileSource } from '../workspace/file-source.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { BufferContent } from './buffer.ts';

export type WorkspaceFile =
  | { readonly kind: 'text'; readonly content: BufferContent }
  | { readonly kind: 'binary'; readonly bytes: number; readonly format: string }
  | { readonly kind: 'large'; readonly bytes: number };

/** Above it a text is shown read only: every server and every page would hold it several times. */
export const largestTextBytes = 16 * 2 ** 20;

export async function readWorkspaceFile(
  { workspace, source }: { readonly workspace: Workspace; readonly source: FileSource },
  path: WorkspacePath,
): Promise<WorkspaceFile> {
  const bytes = await sizeOf(workspace, path);
  if (bytes > largestTextBytes) {
    const { text, format } = await beginning(workspace, path);
    return text ? { kind: 'large', bytes } : { kind: 'binary', bytes, format };
  }
  const content = await source.read(path);
  if (content === undefined || content.kind === 'symlink') throw new NoSuchFile(path);
  if (content.kind === 'text') return { kind: 'text', content };
  return { kind: 'binary', bytes, format: formatOf(content.bytes) };
}

/** A part of a file as text; what is not UTF-8 is shown by replacement characters. */
export async function readPart(
  workspace: Workspace,
  { path, offset, bytes }: { readonly path: WorkspacePath; readonly offset: number; readonly bytes: number },
): Promise<{ readonly text: string; readonly next?: number; readonly total: number }> {
  const total = await sizeOf(workspace, path);
  await using file = await open(workspace.absolute(path), 'r');
  const buffer = Buffer.alloc(Math.min(bytes, Math.max(0, total - offset)));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
  const isLast = offset + bytesRead >= total;
  const end = isLast ? bytesRead : wholeCharacters(buffer.subarray(0, bytesRead));
  const text = buffer.toString('utf8', 0, end);
  return { text, total, ...(!isLast && end > 0 && { next: offset + end }) };
}

async function sizeOf(workspace: Workspace, path: WorkspacePath): Promise<number> {
  try {
    const stats = await stat(workspace.absolute(path));
    if (stats.isFile()) return stats.size;
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
  throw new NoSuchFile(path);
}

/** Whether a large file begins like text, judged as git does. */
async function beginning(
  workspace: Workspace,
  path: WorkspacePath,
): Promise<{ readonly text: boolean; readonly format: string }> {
  await using file = await open(workspace.absolute(path), 'r');
  const buffer = Buffer.alloc(8192);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  const head = buffer.subarray(0, bytesRead);
  return { text: !head.includes(0), format: formatOf(head) };
}

/** Where the last whole character of UTF-8 ends. */
function wholeCharacters(bytes: Uint8Array): number {
  let start = bytes.length - 1;
  while (start >= 0 && bytes.length - start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length <= bytes.length ? bytes.length : start;
}

/** The name of a format that people know, by its first bytes. */
function formatOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12)).toString('latin1');
  return formats.find(([mark]) => head.startsWith(mark))?.[1] ?? 'binary';
}

const formats: readonly (readonly [string, string])[] = [
  ['\x89PNG', 'PNG'],
  ['\xff\xd8\xff', 'JPEG'],
  ['GIF8', 'GIF'],
  ['RIFF', 'RIFF'],
  ['%PDF', 'PDF'],
  ['PK\x03\x04', 'ZIP'],
  ['\x1f\x8b', 'gzip'],
  ['\x7fELF', 'ELF'],
  ['\0asm', 'WebAssembly'],
  ['SQLite format', 'SQLite'],
  ['\xff\xfe', 'UTF-16 text'],
  ['\xfe\xff', 'UTF-16 text'],
];
