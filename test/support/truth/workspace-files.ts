/**
 * A small workspace as data: whole texts by path, so that a variant of it is a value and not a state of a disk.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export type WorkspaceFiles = Readonly<Record<string, string>>;

/** `clean` has no problem; `flawed` has three, each fixed in another way: in the same file, in another file, by a new file. */
export type Variant = 'clean' | 'flawed';

/** Makes `directory` hold exactly these files. */
export async function writeWorkspace(directory: string, files: WorkspaceFiles): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
}

/** The text with the line ends that some editors prefer. */
export function withCarriageReturns(text: string): string {
  return text.replaceAll('\n', '\r\n');
}
