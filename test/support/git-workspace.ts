/** A scratch workspace under git, with one commit of the files it was made with. */
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ScratchWorkspace } from './scratch-workspace.ts';

export class GitWorkspace implements AsyncDisposable {
  readonly #scratch: ScratchWorkspace;

  private constructor(scratch: ScratchWorkspace) {
    this.#scratch = scratch;
  }

  static async create(files: Readonly<Record<string, string | Uint8Array>>): Promise<GitWorkspace> {
    const workspace = new GitWorkspace(await ScratchWorkspace.create(files));
    await commitAll(workspace.root);
    return workspace;
  }

  get root(): string {
    return this.#scratch.workspace.root;
  }

  at(path: string): string {
    return this.#scratch.at(path);
  }

  git(...words: readonly string[]): Promise<string> {
    return gitIn(this.root, ...words);
  }

  write(path: string, content: string | Uint8Array): Promise<void> {
    return writeFile(this.at(path), content);
  }

  remove(path: string): Promise<void> {
    return rm(this.at(path));
  }

  /** Back to the commit, new files removed. */
  async reset(): Promise<void> {
    await this.git('reset', '-q', '--hard');
    await this.git('clean', '-q', '-fd');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#scratch[Symbol.asyncDispose]();
  }
}

/** Makes a repository of a directory, with one commit of everything in it. */
export async function commitAll(root: string): Promise<void> {
  await gitIn(root, 'init', '-q', '-b', 'main');
  await gitIn(root, 'add', '-A');
  await gitIn(root, 'commit', '-q', '-m', 'first');
}

const identity = ['-c', 'user.name=test', '-c', 'user.email=test@localhost'];

/** Each commit, merge and fetch would start another git that looks whether there is something to tidy. */
const quiet = ['-c', 'maintenance.auto=false'];

export async function gitIn(root: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', [...identity, ...quiet, ...words], {
    cwd: root,
    maxBuffer: 1 << 26,
  });
  return stdout;
}
