import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../src/storage/hash.ts';

/** Every name below a directory with its mode and content, for comparing whole trees; but for those left out by their path. */
export async function describeTree(
  directory: string,
  isLeftOut: (path: string) => boolean = () => false,
  prefix = '',
): Promise<string[]> {
  const lines: string[] = [];
  for (const name of (await readdir(directory)).sort()) {
    const [path, shown] = [join(directory, name), prefix + name];
    if (isLeftOut(shown)) continue;
    const stats = await lstat(path);
    const mode = (stats.mode & 0o777).toString(8);
    if (stats.isDirectory())
      lines.push(`${shown}/ ${mode}`, ...(await describeTree(path, isLeftOut, `${shown}/`)));
    else if (stats.isSymbolicLink()) lines.push(`${shown} -> ${await readlink(path)}`);
    else if (!stats.isFile()) lines.push(`${shown} ${mode} no file`);
    else lines.push(`${shown} ${mode} ${sha256(await readFile(path))}`);
  }
  return lines;
}
