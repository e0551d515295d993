/** Replacing a file of ours as a whole. */
import { randomUUID } from 'node:crypto';
import { open, rename } from 'node:fs/promises';

/** Writes beside the file and renames: a reader finds the old text or the new one, also after a crash or a loss of power. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const beside = `${file}-${randomUUID()}`;
  {
    await using handle = await open(beside, 'wx', 0o600);
    await handle.writeFile(text);
    await handle.sync();
  }
  await rename(beside, file);
}
