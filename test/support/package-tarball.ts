/**
 * The package as npm packs it, built with its types into a directory of its own.
 *
 * Invariant: the build of the working tree is not touched, since other tests run it at the same time.
 */
import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const top = fileURLToPath(new URL('../../', import.meta.url));
const execute = promisify(execFile);

export class PackageSource {
  readonly directory: string;
  readonly #scratch: string;

  private constructor(scratch: string) {
    this.#scratch = scratch;
    this.directory = join(scratch, 'source');
  }

  /** Below `scratch`. With `page`, the page of the editor is built too. */
  static async create(
    scratch: string,
    { parts }: { readonly parts: 'page' | 'no page' },
  ): Promise<PackageSource> {
    const source = new PackageSource(scratch);
    const { files } = Object(JSON.parse(await readFile(join(top, 'package.json'), 'utf8')));
    for (const name of ['package.json', ...files].filter((each) => each !== 'dist')) {
      await cp(join(top, name), join(source.directory, name), { recursive: true });
    }
    const dist = join(source.directory, 'dist');
    await node(['tsdown/dist/run.mjs', '--log-level', 'warn', '--dts', '--out-dir', dist]);
    if (parts === 'page') {
      await node(['vite/bin/vite.js', 'build', '--logLevel', 'warn', '--outDir', join(dist, 'web')]);
    }
    return source;
  }

  /** Answers the path of the tarball. */
  async pack(): Promise<string> {
    const { stdout } = await execute(
      'npm',
      ['pack', '--ignore-scripts', '--json', '--pack-destination', this.#scratch],
      { cwd: this.directory },
    );
    return join(this.#scratch, JSON.parse(stdout)[0].filename);
  }

  async setVersion(version: string): Promise<void> {
    const file = join(this.directory, 'package.json');
    await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), version }));
  }
}

async function node([script = '', ...words]: readonly string[]): Promise<void> {
  await execute(process.execPath, [join(top, 'node_modules', script), ...words], { cwd: top });
}
