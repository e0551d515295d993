/** A temporary directory that is deleted on disposal. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class ScratchDirectory implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async create(name: string): Promise<ScratchDirectory> {
    return new ScratchDirectory(await realpath(await mkdtemp(join(tmpdir(), `forerun-${name}-`))));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
