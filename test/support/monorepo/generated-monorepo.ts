/**
 * A TypeScript workspace of several packages as data, and the same on a disk.
 *
 * Invariant: two directories written from one value differ in their paths alone, so that one can be asked about and the
 * other compiled.
 */
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { WorkspaceFiles } from '../truth/workspace-files.ts';

export interface GeneratedMonorepo {
  /** What is particular about how its projects are arranged. */
  readonly shape: string;
  readonly files: WorkspaceFiles;
  /** Symbolic links by their path, with what they point at. */
  readonly links: Readonly<Record<string, string>>;
  /** What the compiler is run with on it, in order; together they check every project, as the owner of such a tree would. */
  readonly checks: readonly (readonly string[])[];
  /** Run once when it is written, where packages read built outputs of each other. */
  readonly builds?: readonly (readonly string[])[];
  /**
   * How many of a hundred answers must be exact; absent: as for every shape. Less where packages read built outputs: a build
   * is not simulated, so a change that a sibling can see is unknown, whatever the next build would show.
   */
  readonly exactPercent?: number;
}

/** A monorepo on disk for as long as it is needed. */
export class MonorepoDirectory implements AsyncDisposable {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async write({
    files,
    links,
  }: Pick<GeneratedMonorepo, 'files' | 'links'>): Promise<MonorepoDirectory> {
    const directory = await MonorepoDirectory.#empty();
    for (const [path, text] of Object.entries(files)) {
      const file = join(directory.root, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    for (const [path, target] of Object.entries(links)) {
      const link = join(directory.root, path);
      await mkdir(dirname(link), { recursive: true });
      await symlink(target, link);
    }
    return directory;
  }

  /** Another directory with the same content, built outputs included. Links are relative and so lead into the copy. */
  static async copyOf(root: string): Promise<MonorepoDirectory> {
    const copy = await MonorepoDirectory.#empty();
    await cp(root, copy.root, { recursive: true, verbatimSymlinks: true });
    return copy;
  }

  static async #empty(): Promise<MonorepoDirectory> {
    return new MonorepoDirectory(await realpath(await mkdtemp(join(tmpdir(), 'forerun-monorepo-'))));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
