/**
 * Resolves a file name that a tool printed.
 *
 * Invariant: the result is the absolute path of an existing file, or undefined.
 */
import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMissing } from '../base/errno.ts';
import { listFiles } from '../workspace/file-walk.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export class PrintedFiles {
  readonly #workspace: Workspace;
  readonly #known = new Map<string, Promise<string | undefined>>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Tries `directory` of the root first, then the root, then the only file whose path ends with the name. */
  find(printed: string, directory: string, signal: AbortSignal): Promise<string | undefined> {
    const key = `${directory}\0${printed}`;
    const known = this.#known.get(key) ?? this.#look(printed, directory, signal);
    this.#known.set(key, known);
    return known;
  }

  async #look(printed: string, directory: string, signal: AbortSignal): Promise<string | undefined> {
    if (printed === '') return undefined;
    const name = printed.startsWith('file://') ? fileURLToPath(printed) : printed;
    if (isAbsolute(name)) return (await isFile(name)) ? name : undefined;
    for (const base of [directory, '']) {
      const candidate = join(this.#workspace.root, base, name);
      if (await isFile(candidate)) return candidate;
    }
    return this.#onlyOne(name.replace(/^(\.{1,2}\/)+/, ''), signal);
  }

  async #onlyOne(ending: string, signal: AbortSignal): Promise<string | undefined> {
    const base = ending.slice(ending.lastIndexOf('/') + 1);
    const named = await listFiles(this.#workspace, { matches: (name) => name === base }, signal);
    const fit = named.filter((path: WorkspacePath) => path === ending || path.endsWith(`/${ending}`));
    return fit.length === 1 && fit[0] !== undefined ? this.#workspace.absolute(fit[0]) : undefined;
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw thrown;
  }
}
