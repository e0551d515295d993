/**
 * The package as its users get it: built with its types, packed by npm, unpacked beside the dependencies of this
 * repository, with the examples next to it.
 *
 * Invariant: the build of the working tree is not touched, since other tests run it at the same time.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

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
      await packed.#install(await packed.#pack());
      return packed;
    } catch (thrown) {
      await packed[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#scratch, { recursive: true, force: true });
  }

  /** Answers the path of the tarball. */
  async #pack(): Promise<string> {
    const source = join(this.#scratch, 'source');
    const manifest: unknown = JSON.parse(await readFile(join(top, 'package.json'), 'utf8'));
    const { files } = Object(manifest);
    for (const name of ['package.json', ...files].filter((each) => each !== 'dist')) {
      await cp(join(top, name), join(source, name), { recursive: true });
    }
    const tsdown = join(top, 'node_modules/tsdown/dist/run.mjs');
    const words = [tsdown, '--log-level', 'warn', '--dts', '--out-dir', join(source, 'dist')];
    await execute(process.execPath, words, { cwd: top });
    const { stdout } = await execute(
      'npm',
      ['pack', '--ignore-scripts', '--json', '--pack-destination', this.#scratch],
      { cwd: source },
    );
    return join(this.#scratch, JSON.parse(stdout)[0].filename);
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
