import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Workspace } from '../../src/workspace/workspace.ts';

/** A workspace in a directory of its own that is deleted when it is disposed of. */
export class ScratchWorkspace implements AsyncDisposable {
  readonly workspace: Workspace;

  private constructor(workspace: Workspace) {
    this.workspace = workspace;
  }

  static async create(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<ScratchWorkspace> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'forerun-scratch-')));
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
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
