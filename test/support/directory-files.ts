/** The files of a directory that a test owns. */
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

type Files = Readonly<Record<string, string | Uint8Array>>;

export async function writeFiles(root: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

/**
 * Has the directory hold these files and no others. A file that is as it should be is left alone, because many a server is
 * started anew when its configuration is written.
 */
export async function replaceFiles(root: string, files: Files): Promise<void> {
  const missing = new Map(Object.entries(files));
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = relative(root, join(entry.parentPath, entry.name));
    if (entry.isDirectory()) continue;
    const wanted = files[path];
    const found = await readFile(join(root, path));
    if (wanted !== undefined && Buffer.from(wanted).equals(found)) missing.delete(path);
    else await rm(join(root, path));
  }
  await removeEmptyDirectories(root);
  await writeFiles(root, Object.fromEntries(missing));
}

async function removeEmptyDirectories(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const inner = join(directory, entry.name);
    await removeEmptyDirectories(inner);
    if ((await readdir(inner)).length === 0) await rmdir(inner);
  }
}
