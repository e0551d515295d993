/** A scratch workspace that benches measure on; disposing it removes its files. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mapConcurrently } from '../../src/workspace/concurrency.ts';
import type { SampleEdit } from './sample-edit.ts';

export interface BenchWorkspace extends AsyncDisposable {
  readonly root: string;
  readonly language: string;
  /** Breaks one module by itself. */
  readonly breaking: SampleEdit;
}

/** Files in a directory of their own, outside any repository. */
export class ScratchFiles implements AsyncDisposable {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async write(name: string, files: ReadonlyMap<string, string>): Promise<ScratchFiles> {
    const root = await realpath(await mkdtemp(join(tmpdir(), `forerun-bench-${name}-`)));
    for (const directory of new Set([...files.keys()].map((path) => dirname(join(root, path))))) {
      await mkdir(directory, { recursive: true });
    }
    await mapConcurrently([...files], 16, ([path, text]) => writeFile(join(root, path), text));
    return new ScratchFiles(root);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
