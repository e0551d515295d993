/** A mini-workspace of test/fixtures, copied to a scratch directory that goes when it is disposed. */
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export class Fixture implements AsyncDisposable {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  file(name: string): string {
    return join(this.root, name);
  }

  read(name: string): Promise<string> {
    return readFile(this.file(name), 'utf8');
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(this.file(name), text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

export async function openFixture(name: string): Promise<Fixture> {
  const source = fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
  const root = await realpath(await mkdtemp(join(tmpdir(), `forerun-${name}-`)));
  await cp(source, root, { recursive: true });
  return new Fixture(root);
}
