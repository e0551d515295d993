/**
 * Judges that owe nothing to a live server: the compilers themselves, run on real files.
 *
 * Invariant: a tree judged together with others gets the verdict it would get alone.
 */
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { runCommand } from '../../../src/process/run-command.ts';
import { nativeCompiler } from '../compilers/native-compiler.ts';
import { askCompiler } from '../compilers/typescript-program.ts';
import { type Judgement, keptJudgement } from './kept-judgement.ts';
import { compareProblems, type Problem } from './problem.ts';
import { pyrightBatches } from './pyright-batch.ts';
import { parsePyright } from './pyright-output.ts';
import { isSyntactic, parseTsc } from './tsc-output.ts';
import { type WorkspaceFiles, writeWorkspace } from './workspace-files.ts';

/** The problems of a TypeScript workspace on disk. */
export async function judgeTypeScript(directory: string, signal: AbortSignal): Promise<readonly Problem[]> {
  const root = await realpath(directory);
  const problems = await tsc(root, signal);
  // The command says nothing of types while a syntax error stands; the same compiler, asked file by file, does.
  if (!problems.some(isSyntactic)) return sorted(problems);
  const config = 'tsconfig.json';
  const asked = (await askCompiler(root, [config])).get(config);
  if (asked === undefined) throw new Error(`no program for ${config}`);
  return sorted(asked.files);
}

/** The problems of each tree: all in one program, except those that would disturb the others. */
export function judgeTypeScriptTrees(
  trees: readonly WorkspaceFiles[],
  signal: AbortSignal,
): Promise<Judgement> {
  return keptJudgement({ typescript: trees }, () => compileTrees(trees, signal));
}

async function compileTrees(trees: readonly WorkspaceFiles[], signal: AbortSignal): Promise<Judgement> {
  await using scratch = await Scratch.hold(trees);
  const options = JSON.parse(trees[0]?.['tsconfig.json'] ?? '{}');
  const alone = new Set(trees.flatMap((tree, place) => (hasGlobals(tree) ? [place] : [])));
  for (;;) {
    const together = trees.map((_, place) => place).filter((place) => !alone.has(place));
    const include = together.map((place) => `${nameOf(place)}/src`);
    await writeFile(join(scratch.root, 'tsconfig.json'), JSON.stringify({ ...options, include }));
    const problems = byTree(await tsc(scratch.root, signal), trees.length);
    const loud = together.filter((place) => problems[place]?.some(isSyntactic));
    for (const place of loud) alone.add(place);
    if (loud.length > 0) continue;
    for (const place of alone) problems[place] = await judgeTypeScript(scratch.directoryOf(place), signal);
    return problems.map(sorted);
  }
}

/** The problems of each tree, with one run for all trees that can be joined to one project. */
export function judgePyrightTrees(trees: readonly WorkspaceFiles[], signal: AbortSignal): Promise<Judgement> {
  return keptJudgement({ python: trees }, () => checkTrees(trees, signal));
}

async function checkTrees(trees: readonly WorkspaceFiles[], signal: AbortSignal): Promise<Judgement> {
  await using scratch = await Scratch.hold(trees);
  const judged: Array<readonly Problem[]> = trees.map(() => []);
  for (const { places, configuration } of pyrightBatches(trees, nameOf)) {
    const [alone] = places.length === 1 ? places : [];
    if (alone !== undefined) {
      judged[alone] = sorted(await pyright(scratch.directoryOf(alone), signal));
      continue;
    }
    await writeFile(join(scratch.root, 'pyrightconfig.json'), JSON.stringify(configuration));
    const problems = byTree(await pyright(scratch.root, signal), trees.length);
    for (const place of places) judged[place] = sorted(problems[place] ?? []);
  }
  return judged;
}

/** Trees written side by side, for as long as they are needed. */
class Scratch implements AsyncDisposable {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async hold(trees: readonly WorkspaceFiles[]): Promise<Scratch> {
    const scratch = new Scratch(await realpath(await mkdtemp(join(tmpdir(), 'forerun-judge-'))));
    await Promise.all(trees.map((tree, place) => writeWorkspace(scratch.directoryOf(place), tree)));
    return scratch;
  }

  directoryOf(place: number): string {
    return join(this.root, nameOf(place));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

function nameOf(place: number): string {
  return `tree${place}`;
}

/** Problems by the tree their path begins with, which is then taken off, also where messages name it. */
function byTree(problems: readonly Problem[], count: number): Array<readonly Problem[]> {
  const trees: Problem[][] = Array.from({ length: count }, () => []);
  for (const problem of problems) {
    const [, place, path] = /^tree(\d+)\/(.*)$/.exec(problem.path) ?? [];
    if (path === undefined) throw new Error(`a problem outside every tree: ${JSON.stringify(problem)}`);
    trees[Number(place)]?.push({
      ...problem,
      path,
      message: problem.message.replaceAll(`tree${place}/`, ''),
    });
  }
  return trees;
}

/** What one tree declares for all files of a program would be seen by its neighbours. */
function hasGlobals(tree: WorkspaceFiles): boolean {
  return Object.entries(tree).some(
    ([path, text]) => path.endsWith('.d.ts') || /\bdeclare (?:global|module)\b/.test(text),
  );
}

const require = createRequire(import.meta.url);
const checker = join(dirname(require.resolve('pyright/package.json')), 'index.js');

async function tsc(root: string, signal: AbortSignal): Promise<readonly Problem[]> {
  return parseTsc(
    await run([nativeCompiler(), '--noEmit', '--pretty', 'false', '-p', '.'], root, signal),
    root,
  );
}

async function pyright(root: string, signal: AbortSignal): Promise<readonly Problem[]> {
  return parsePyright(
    await run([process.execPath, checker, '--outputjson', '-p', '.'], root, signal),
    root + sep,
  );
}

async function run(command: readonly string[], cwd: string, signal: AbortSignal): Promise<string> {
  const limits = { timeoutMs: 600_000, maxOutputBytes: 64 * 2 ** 20 };
  const options = { command, cwd, env: process.env, ...limits };
  const { code, stdout, stderr, timedOut } = await runCommand(options, signal);
  if (timedOut || code === undefined || code > 2)
    throw new Error(`the judge failed (${code}): ${stdout}${stderr}`);
  return stdout;
}

function sorted(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort(compareProblems);
}
