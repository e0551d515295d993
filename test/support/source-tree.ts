/** The files of this repository's own source, for tests about the tree itself. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SourceFile {
  /** From the top of the repository. */
  readonly path: string;
  readonly text: string;
}

const top = fileURLToPath(new URL('../../', import.meta.url));

export async function sourceFiles(...folders: readonly string[]): Promise<readonly SourceFile[]> {
  const found = await Promise.all(folders.map((folder) => filesBelow(join(top, folder))));
  return Promise.all(
    found
      .flat()
      .filter((file) => /\.(tsx?|js|cjs|mjs)$/.test(file))
      .sort()
      .map(async (file) => ({ path: relative(top, file), text: await readFile(file, 'utf8') })),
  );
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
