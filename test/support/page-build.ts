/**
 * Builds the page of the editor for tests in a browser.
 *
 * Invariant: the page is built when its sources are newer than what was built.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const top = fileURLToPath(new URL('../../', import.meta.url));

/** What the page is built into. */
export const builtPage: string = join(top, 'dist', 'web');

export async function setup(): Promise<void> {
  if (isBuilt()) return;
  await build({ configFile: join(top, 'vite.config.ts'), logLevel: 'warn' });
}

function isBuilt(): boolean {
  const built = join(builtPage, 'index.html');
  if (!existsSync(built)) return false;
  const { mtimeMs } = statSync(built);
  const sources = ['web', 'src/text', 'src/editor/protocol'].flatMap((folder) =>
    readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  const read = ['package-lock.json', 'vite.config.ts', 'src/editor/protocol.ts', ...sources];
  return read.every((path) => statSync(join(top, path)).mtimeMs < mtimeMs);
}
