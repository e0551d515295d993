/**
 * The package as npm packs it, built with its types into a directory of its own.
 *
 * Invariant: the build of the working tree is not touched, since other tests run it at the same time. What a caller writes
 * into its source is seen by no other caller.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FileLock } from '../../src/process/file-lock.ts';
import { childrenVariable } from './child-program.ts';
import { builtPage } from './page-build.ts';
import { calm } from './world.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
const execute = promisify(execFile);

export class PackageSource {
  readonly directory: string;
  readonly #scratch: string;

  private constructor(scratch: string) {
    this.#scratch = scratch;
    this.directory = join(scratch, 'source');
  }

  /** Below `scratch`. With `page`, the page of the editor comes with it. */
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
    await cp(await builtWithTypes(), dist, { recursive: true });
    if (parts === 'page') await cp(await builtPage(), join(dist, 'web'), { recursive: true });
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

/**
 * The directory of the build, made by the first caller of a run while others wait: the types take ten times as long as the
 * program. It lies with the bundles of the run, and is removed with them.
 */
async function builtWithTypes(): Promise<string> {
  const bundles = process.env[childrenVariable];
  if (bundles === undefined) throw new Error('the global set-up has not run');
  const built = join(bundles, 'package');
  const makeDirectory = (): void => {
    mkdirSync(bundles, { recursive: true });
  };
  using _lock = await FileLock.acquire({ file: join(bundles, 'package.lock'), makeDirectory }, calm);
  if (existsSync(built)) return built;
  // A build that failed is not taken for one that is done.
  const unfinished = join(bundles, 'package-unfinished');
  await rm(unfinished, { recursive: true, force: true });
  await node(['tsdown/dist/run.mjs', '--log-level', 'warn', '--dts', '--out-dir', unfinished]);
  await rename(unfinished, built);
  return built;
}

async function node([script = '', ...words]: readonly string[]): Promise<void> {
  await execute(process.execPath, [join(top, 'node_modules', script), ...words], { cwd: top });
}
