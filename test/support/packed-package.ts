/** The package as its users get it: unpacked beside the dependencies of this repository, with the examples next to it. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PackageSource } from './package-tarball.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
const execute = promisify(execFile);

export class PackedPackage implements AsyncDisposable {
  /** A project that has the package installed; holds `examples/`. */
  readonly consumer: string;
  readonly #scratch: string;

  private constructor(scratch: string) {
    this.#scratch = scratch;
    this.consumer = join(scratch, 'consumer');
  }

  static async create(): Promise<PackedPackage> {
    const scratch = await mkdtemp(join(tmpdir(), 'forerun-packed-'));
    const packed = new PackedPackage(scratch);
    try {
      const source = await PackageSource.create(scratch, { parts: 'no page' });
      await packed.#install(await source.pack());
      return packed;
    } catch (thrown) {
      await packed[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#scratch, { recursive: true, force: true });
  }

  async #install(tarball: string): Promise<void> {
    const modules = join(this.consumer, 'node_modules');
    await mkdir(modules, { recursive: true });
    // Examples are modules, as in any project that uses the package.
    await writeFile(join(this.consumer, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    await execute('tar', ['-xzf', tarball, '-C', modules]);
    await rename(join(modules, 'package'), join(modules, 'forerun'));
    await symlink(join(top, 'node_modules'), join(this.#scratch, 'node_modules'));
    await cp(join(top, 'examples'), join(this.consumer, 'examples'), { recursive: true });
  }
}
