/**
 * Pyright's word on a Python workspace, by its command line.
 *
 * Invariant: imports are looked up in the environment that lies in the directory, where there is one.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix, sep } from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';
import { sourcesIn } from '../changes/sources.ts';
import { parsePyright } from '../truth/pyright-output.ts';
import { type CompilerReport, distinct, type WorkspaceCompiler } from './report.ts';
import { runCompiler } from './run-compiler.ts';

const require = createRequire(import.meta.url);
const checker = join(dirname(require.resolve('pyright/package.json')), 'index.js');

export class PythonCompiler implements WorkspaceCompiler {
  /** The sources under the directories that the configuration includes. */
  readonly members: ReadonlySet<string>;
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
    const { include = [''], exclude = [] } = configurationOf(root);
    const isUnder = (path: string, patterns: readonly string[]): boolean =>
      patterns.some((pattern) => `${path}/`.startsWith(directoryOf(pattern)));
    this.members = new Set(
      sourcesIn(root).paths.filter((path) => isUnder(path, include) && !isUnder(path, exclude)),
    );
  }

  async measure(signal: AbortSignal): Promise<CompilerReport> {
    const python = join(this.#root, '.venv', 'bin', 'python');
    const environment = existsSync(python) ? ['--pythonpath', python] : [];
    const command = [process.execPath, checker, '--outputjson', '-p', '.', ...environment];
    const { stdout, stderr } = await runCompiler({ command, cwd: this.#root }, signal);
    if (!stdout.trimStart().startsWith('{')) throw new Error(`pyright failed: ${stdout}${stderr}`);
    const problems = parsePyright(stdout, this.#root + sep);
    return { problems: distinct(problems), answeredBy: ['pyright'] };
  }

  measureAfter(_changed: readonly string[], signal: AbortSignal): Promise<CompilerReport> {
    return this.measure(signal);
  }
}

const configuration = z.object({
  include: z.array(z.string()).optional(),
  exclude: z.array(z.string()).optional(),
});
const manifest = z.object({ tool: z.object({ pyright: configuration.optional() }).optional() });

function configurationOf(root: string): z.infer<typeof configuration> {
  const [own, shared] = ['pyrightconfig.json', 'pyproject.toml'].map((name) => join(root, name));
  if (own !== undefined && existsSync(own)) return configuration.parse(parseJson(readFileSync(own, 'utf8')));
  if (shared === undefined || !existsSync(shared)) return {};
  return manifest.parse(parseToml(readFileSync(shared, 'utf8'))).tool?.pyright ?? {};
}

/** The directory or file a pattern names, as far as it has no wildcard, with a slash at its end; empty for the root. */
function directoryOf(pattern: string): string {
  const plain = posix.normalize(pattern.replace(/[*?].*$/, '')).replace(/^\.?\/?/, '');
  return plain === '' || plain.endsWith('/') ? plain : `${plain}/`;
}
