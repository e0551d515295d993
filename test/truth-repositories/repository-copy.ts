/**
 * A real copy of a checkout, on which a compiler measures what a change does.
 *
 * Invariant: no file of it shares its bytes with the checkout, and between two changes it equals the checkout.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Change } from '../support/changes/change.ts';

const run = promisify(execFile);

export class RepositoryCopy implements AsyncDisposable {
  readonly root: string;
  readonly #holder: string;

  private constructor(holder: string, root: string) {
    this.#holder = holder;
    this.root = root;
  }

  static async of(checkout: string): Promise<RepositoryCopy> {
    const holder = await realpath(await mkdtemp(join(tmpdir(), 'forerun-truth-')));
    const root = join(holder, 'copy');
    // Dependencies come along: where a compiler looks for them is part of the answer.
    await run('cp', ['-a', '--reflink=auto', checkout, root]);
    await pointHere(root, checkout);
    return new RepositoryCopy(holder, root);
  }

  /** Runs something while the copy holds a change; puts everything back, directories that were new included. */
  async holding<T>({ files }: Change, work: () => Promise<T>): Promise<T> {
    const before = new Map<string, Buffer | undefined>();
    let made: readonly string[] = [];
    try {
      for (const { path, after } of files) {
        const file = join(this.root, path);
        before.set(file, await contentOf(file));
        if (after === undefined) await rm(file);
        else {
          const first = await mkdir(dirname(file), { recursive: true });
          if (first !== undefined) made = [...made, first];
          await writeFile(file, after);
        }
      }
      return await work();
    } finally {
      for (const [file, content] of before) {
        if (content === undefined) await rm(file, { force: true });
        else await writeFile(file, content);
      }
      for (const directory of made) await rm(directory, { recursive: true, force: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#holder, { recursive: true, force: true });
  }
}

/** A package that is installed as editable has its place in its environment: that of the copy is the copy. */
async function pointHere(root: string, checkout: string): Promise<void> {
  const names = ['--include=*.pth', '--include=__editable__*.py'];
  const found = await run('grep', ['-rlF', ...names, '-e', checkout, root]).catch(() => ({ stdout: '' }));
  for (const file of found.stdout.split('\n').filter((line) => line !== '')) {
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll(checkout, root));
  }
}

async function contentOf(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined;
    throw thrown;
  }
}
