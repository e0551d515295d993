/** Removes a directory of ours with everything in it; links are removed, not followed. */
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isOwn } from './kept-files.ts';

export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A command may have closed directories to their owner, who may open them again; what then fails is reported.
    await openDirectories(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function openDirectories(directory: string): Promise<void> {
  const stats = await lstat(directory).catch(() => undefined);
  if (!stats?.isDirectory() || !isOwn(stats)) return;
  await chmod(directory, 0o700);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) await openDirectories(join(directory, entry.name));
  }
}
