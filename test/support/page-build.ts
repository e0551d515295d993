/**
 * Builds the page of the editor for tests in a browser.
 *
 * Invariant: the page is built when its sources are newer than what was built, by one process while others wait for it.
 */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileLock } from '../../src/process/file-lock.ts';
import { calm } from './world.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
const directory = join(top, 'dist', 'web');

let built: Promise<string> | undefined;

/** The directory of the page. The first test that shows it has it built. */
export function builtPage(): Promise<string> {
  built ??= buildPage();
  return built;
}

async function buildPage(): Promise<string> {
  const locks = join(top, '.vitest');
  const makeDirectory = (): void => {
    mkdirSync(locks, { recursive: true });
  };
  using _lock = await FileLock.acquire({ file: join(locks, 'page.lock'), makeDirectory }, calm);
  if (isBuilt()) return directory;
  const { build } = await import('vite');
  await build({ configFile: join(top, 'vite.config.ts'), logLevel: 'warn' });
  return directory;
}

function isBuilt(): boolean {
  const built = join(directory, 'index.html');
  if (!existsSync(built)) return false;
  const { mtimeMs } = statSync(built);
  const sources = ['web', 'src/text', 'src/editor/protocol'].flatMap((folder) =>
    readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  const read = ['package-lock.json', 'vite.config.ts', 'src/editor/protocol.ts', ...sources];
  return read.every((path) => statSync(join(top, path)).mtimeMs < mtimeMs);
}
