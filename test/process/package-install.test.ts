/** The package as its users install it: from the tarball, with npm, into an empty prefix. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { GitWorkspace } from '../support/git-workspace.ts';
import { LoopbackRegistry } from '../support/loopback-registry.ts';
import { PackageSource } from '../support/package-tarball.ts';

const execute = promisify(execFile);
/** Disk blocks included, for every file that npm installs. */
const maximumBytes = 90 * 1024 * 1024;
const blockBytes = 4096;
const older = '0.0.1';

let scratch: string;
let registry: LoopbackRegistry;
let tarballs: { readonly current: string; readonly older: string };

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'forerun-install-'));
  registry = await LoopbackRegistry.start(join(scratch, 'registry'));
  const source = await PackageSource.create(scratch, { parts: 'page' });
  const current = await source.pack();
  await source.setVersion(older);
  await writeFile(join(source.directory, 'dist', 'gone.js'), '');
  tarballs = { current, older: await source.pack() };
});

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await rm(scratch, { recursive: true, force: true });
});

describe('in an empty prefix', () => {
  const prefix = () => join(scratch, 'prefix');
  const program = () => join(prefix(), 'bin', 'forerun');
  const modules = () => join(prefix(), 'lib', 'node_modules');
  /** A directory with node and git alone: nothing else is installed for the program to find. */
  const path = () => [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);

  async function npm(...words: readonly string[]): Promise<void> {
    const home = join(scratch, 'home');
    await mkdir(home, { recursive: true });
    const flags = ['--global', '--prefix', prefix(), '--registry', registry.url, '--no-audit', '--no-fund'];
    const env = { PATH: path(), HOME: home, npm_config_cache: join(scratch, 'cache') };
    await execute('npm', [...words, ...flags], { env, cwd: scratch });
  }

  async function run(cwd: string, ...words: readonly string[]): Promise<{ code: number; stdout: string }> {
    const env = { PATH: path(), HOME: join(scratch, 'home'), FORERUN_DAEMON: 'off' };
    try {
      return { code: 0, stdout: (await execute(program(), [...words], { cwd, env })).stdout };
    } catch (thrown) {
      const { code, stdout } = Object(thrown);
      return { code, stdout };
    }
  }

  test('an upgrade and a downgrade leave exactly the files of the installed version', async () => {
    const gone = join(modules(), 'forerun', 'dist', 'gone.js');
    // What is not needed to start is left out until the last one: npm unpacks it anew each time.
    for (const [tarball, version, ...flags] of [
      [tarballs.current, manifest.version, '--omit=optional'],
      [tarballs.older, older, '--omit=optional'],
      [tarballs.current, manifest.version],
    ] as const) {
      await npm('install', tarball, ...flags);
      const installed = await readFile(join(modules(), 'forerun', 'package.json'), 'utf8');
      expect(JSON.parse(installed)).toMatchObject({ version });
      // Both were built from the same sources, which hold their version.
      expect(await run(scratch, '--version')).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
      expect(existsSync(gone)).toBe(version === older);
    }
  });

  test('the installed tree is smaller than 90 MB', () => {
    const files = readdirSync(modules(), { recursive: true, encoding: 'utf8' });
    const blocks = files.map((file) => Math.ceil(statSync(join(modules(), file)).size / blockBytes));
    const bytes = blocks.reduce((sum, each) => sum + each * blockBytes, 0);
    expect(existsSync(join(modules(), 'forerun', 'dist', 'web', 'index.html'))).toBe(true);
    expect(bytes).toBeLessThan(maximumBytes);
  });

  test('TypeScript and Python are judged with nothing else installed', async () => {
    await using tree = await GitWorkspace.create({
      'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, types: [] } }),
      'math.ts': 'export const half = (n: number): number => n / 2;\n',
      'app.ts': "import { half } from './math';\nexport const two: number = half(4);\n",
      'shop/price.py': 'def price(count: int) -> int:\n    return count * 3\n',
      'shop/cart.py': 'from shop.price import price\n\ntotal: int = price(2)\n',
    });
    await tree.write('math.ts', 'export const half = (n: number): number => n * 0.5;\n');
    await tree.write('shop/price.py', 'def price(count: int) -> int:\n    return count + count + count\n');
    expect((await run(tree.root, 'whatif')).code).toBe(0);
    await tree.write('math.ts', 'export const half = (n: number): string => `${n / 2}`;\n');
    await tree.write('shop/price.py', 'def price(count: int) -> str:\n    return str(count * 3)\n');
    const { code, stdout } = await run(tree.root, 'whatif', '--format', 'json');
    expect(code).toBe(1);
    expect(stdout).toContain('app.ts');
    expect(stdout).toContain('shop/cart.py');
  });

  test('the database engine is installed: references are cached on disk', async () => {
    await using tree = await GitWorkspace.create({
      'tsconfig.json': '{}',
      'a.ts': 'export const one = 1;\nexport const two = one + one;\n',
    });
    const place = JSON.stringify({ file_path: 'a.ts', line: 1, column: 14 });
    expect((await run(tree.root, 'call', 'find_references', place)).code).toBe(0);
    const stored = readdirSync(join(scratch, 'home'), { recursive: true, encoding: 'utf8' });
    expect(stored.map((file) => basename(file))).toContain('refs.db');
  });

  test('the licences of bundled packages come along', async () => {
    const dist = join(modules(), 'forerun', 'dist');
    for (const [folder, name] of [
      ['.', 'zod'],
      ['web', '@codemirror/view'],
    ] as const) {
      const notices = await readFile(join(dist, folder, 'THIRD-PARTY-NOTICES.md'), 'utf8');
      expect(notices).toContain(name);
    }
  });

  test('uninstalling leaves nothing in the prefix', async () => {
    await npm('uninstall', 'forerun');
    const left = readdirSync(prefix(), { recursive: true, withFileTypes: true });
    expect(
      left.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name)),
    ).toEqual([]);
  });
});
