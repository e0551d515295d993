/**
 * Whether a living process uses a directory of ours.
 *
 * Invariant: where that cannot be found out, the answer is yes.
 */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';

/**
 * Whether any process has the directory as its working directory, in its mounts or on its command line. A mount in
 * another namespace shows under another path, so the name of the directory is looked for, which is unique.
 */
export async function isNamedByProcess(path: string): Promise<boolean> {
  const name = basename(path);
  const pids = (await readdir('/proc').catch(() => [])).filter((entry) => /^\d+$/.test(entry));
  if (pids.length === 0) return true;
  for (const pid of pids) if (await mentions(pid, name)) return true;
  return false;
}

async function mentions(pid: string, name: string): Promise<boolean> {
  const at = `/proc/${pid}`;
  // Processes of other users cannot be looked at; they do not run in directories only we can enter.
  const texts = await Promise.all([
    readlink(`${at}/cwd`).catch(() => ''),
    readFile(`${at}/mountinfo`, 'utf8').catch(() => ''),
    readFile(`${at}/cmdline`, 'utf8').catch(() => ''),
    readFile(`${at}/environ`, 'utf8').catch(() => ''),
  ]);
  return texts.some((text) => text.includes(name));
}
