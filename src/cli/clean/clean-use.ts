/**
 * Our files and directories that running processes use, according to the system.
 *
 * Invariant: an answer is based on a scan of the processes that ended at most two seconds ago.
 */
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { basename, sep } from 'node:path';

/** One scan is shared by all questions within this time: there may be hundreds, and a scan visits every process. */
const freshMs = 2000;

interface ProcessUse {
  readonly openFiles: readonly string[];
  /** Working directory, mounts, command line and environment. */
  readonly words: readonly string[];
}

export class LivingProcesses {
  #look: Promise<readonly ProcessUse[]> | undefined;
  #endedAt = 0;

  /** Whether a process has a file open, or one below a directory. If the system does not tell: no. */
  async haveOpen(path: string): Promise<boolean> {
    const processes = await this.#processes();
    const real = await realpath(path).catch(() => path);
    return processes.some(({ openFiles }) =>
      openFiles.some((file) => file === real || file.startsWith(real + sep)),
    );
  }

  /**
   * Whether a process works in a directory, mounts it or has its name in its command line or environment. A mount in
   * another namespace has another path, so the unique name is searched for. If the system does not tell: yes.
   */
  async mention(path: string): Promise<boolean> {
    const name = basename(path);
    const processes = await this.#processes();
    return processes.length === 0 || processes.some(({ words }) => words.some((text) => text.includes(name)));
  }

  #processes(): Promise<readonly ProcessUse[]> {
    if (this.#look && performance.now() - this.#endedAt < freshMs) return this.#look;
    this.#endedAt = Number.POSITIVE_INFINITY;
    this.#look = lookAtProcesses().finally(() => {
      this.#endedAt = performance.now();
    });
    return this.#look;
  }
}

/** Little is visible of other users' processes; they cannot enter our private directories. */
async function lookAtProcesses(): Promise<readonly ProcessUse[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((entry) => /^\d+$/.test(entry));
  const uses: ProcessUse[] = [];
  /** Most processes share their mount table, which can be long. */
  const tables = new Map<string, string>();
  for (const pid of pids) {
    const at = `/proc/${pid}`;
    const descriptors = await readdir(`${at}/fd`).catch(() => []);
    uses.push({
      openFiles: await Promise.all(descriptors.map((each) => readlink(`${at}/fd/${each}`).catch(() => ''))),
      words: await Promise.all([
        readlink(`${at}/cwd`).catch(() => ''),
        mountsOf(at, tables),
        readFile(`${at}/cmdline`, 'utf8').catch(() => ''),
        readFile(`${at}/environ`, 'utf8').catch(() => ''),
      ]),
    });
  }
  return uses;
}

async function mountsOf(at: string, tables: Map<string, string>): Promise<string> {
  const namespace = await readlink(`${at}/ns/mnt`).catch(() => '');
  const known = tables.get(namespace);
  if (known !== undefined && namespace !== '') return known;
  const table = await readFile(`${at}/mountinfo`, 'utf8').catch(() => '');
  tables.set(namespace, table);
  return table;
}
