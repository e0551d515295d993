import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Workspace } from '../../src/workspace/workspace.ts';
import { writeFiles } from './directory-files.ts';

/** A workspace in a directory of its own that is deleted when it is disposed of. */
export class ScratchWorkspace implements AsyncDisposable {
  readonly workspace: Workspace;

  private constructor(workspace: Workspace) {
    this.workspace = workspace;
  }

  static async create(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<ScratchWorkspace> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'forerun-scratch-')));
    await writeFiles(root, files);
    return new ScratchWorkspace(await Workspace.open(root));
  }

  /** The absolute path of something in it. */
  at(relative: string): string {
    return join(this.workspace.root, relative);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.workspace.root, { recursive: true, force: true });
  }
}
