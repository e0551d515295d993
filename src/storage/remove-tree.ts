/** Removes a directory of ours with its contents; links are removed, not followed. */
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isOwn } from './kept-files.ts';

export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A command may have removed the owner's permissions, which can be restored; a failure after that is reported.
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
