/**
 * The picture of the README: a real run of `forerun whatif` on the sample, after an edit that breaks another file.
 *
 * Invariant: only the time that the run took is left out, so that every run gives the same picture.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { terminalPicture } from './terminal-picture.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
const execute = promisify(execFile);

/** Where the picture is kept. */
export const whatifPictureFile: string = join(top, 'docs', 'images', 'whatif.svg');

/** Needs a built program. */
export async function whatifPicture(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'forerun-picture-'));
  try {
    await cp(join(top, 'sample', 'typescript'), root, { recursive: true });
    const git = (...words: readonly string[]) =>
      execute('git', ['-c', 'user.name=sample', '-c', 'user.email=sample@localhost', ...words], {
        cwd: root,
      });
    await git('init', '-q', '-b', 'main');
    await git('add', '-A');
    await git('commit', '-q', '-m', 'sample');
    const file = join(root, 'cart.ts');
    const changed = (await readFile(file, 'utf8'))
      .replace('): number {', '): string {')
      .replace('item.cents, 0);', 'item.cents, 0).toFixed(0);');
    await writeFile(file, changed);
    const { stdout: difference } = await git('diff', '-U0', '--color=never');
    const lines = difference.split('\n').filter((line) => /^[-+](?![-+])/.test(line));
    const shown = lines.map((line) => `${line.startsWith('-') ? red : green}${line}${reset}`);
    return terminalPicture(
      ['$ git diff -U0 cart.ts', ...shown, '', '$ forerun whatif', await verdictIn(root)].join('\n'),
      { title: 'forerun whatif names the error that an edit of one file would cause in another' },
    );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const [red, green, reset] = ['31', '32', '0'].map((code) => `${String.fromCharCode(27)}[${code}m`);

/** What the program prints; it ends with 1, since the change is broken. */
async function verdictIn(root: string): Promise<string> {
  const words = [join(top, 'bin', 'forerun.js'), 'whatif', '--color', 'always'];
  const env = { ...process.env, FORERUN_DAEMON: 'off', FORERUN_AUDIT_LOG: 'off', FORERUN_CACHE_DIR: 'off' };
  const { code, stdout } = await execute(process.execPath, words, { cwd: root, env }).then(
    (run) => ({ code: 0, ...run }),
    (thrown: unknown) => Object(thrown),
  );
  if (code !== 1) throw new Error(`whatif ended with ${code}`);
  return String(stdout).replaceAll(/ in \d+(?:\.\d+)? m?s\b/g, '');
}
