/** Processes that carry a mark in their environment, and so were started by the program a test marked. */
import { readdir, readFile } from 'node:fs/promises';

export async function processesMarked(mark: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const marked = await Promise.all(pids.map((pid) => commandIfMarked(pid, mark)));
  return marked.filter((command) => command !== undefined);
}

/** A process may be gone before it is read; then it is not there. */
async function commandIfMarked(pid: string, mark: string): Promise<string | undefined> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  if (!environment.includes(mark)) return undefined;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command === '' ? undefined : `${pid} ${command.replaceAll('\0', ' ')}`;
}
