/** Replaces a file of ours atomically. */
import { randomUUID } from 'node:crypto';
import { open, rename } from 'node:fs/promises';

/** Writes beside the file and renames: a reader finds the old or the new text, also after a crash or power loss. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const beside = `${file}-${randomUUID()}`;
  {
    await using handle = await open(beside, 'wx', 0o600);
    await handle.writeFile(text);
    await handle.sync();
  }
  await rename(beside, file);
}
