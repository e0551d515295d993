/** TypeScript and JavaScript: the compiler or the linter checks, the runner named by the test script tests. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../base/errno.ts';
import { isRecord } from '../../base/record.ts';
import { resolveEmbedded } from '../../servers/embedded-server.ts';
import { NotNarrowable } from '../build-failure.ts';
import { errorsMatching, parenthesisError } from '../compiler-error.ts';
import { nodeProgram } from '../node-program.ts';
import { nearestWith, parent } from '../presence.ts';
import { runnerFailures, tapFailures } from '../runner-report.ts';
import { runnerCount, runnerTextCount } from '../test-count.ts';
import {
  type BuildError,
  type Command,
  command,
  pathArgument,
  type Task,
  type TestConvention,
  type TestTask,
  type Toolchain,
} from '../toolchain.ts';

const convention: TestConvention = {
  subjectOf: (name) => /^(.+)[.-](?:test|spec)\.[cm]?[jt]sx?$/.exec(name)?.[1],
  beside: 'named',
  elsewhere: 'named',
  importers: 'counted',
};

const tested = {
  testCommands,
  parseTests: ({ report, stdout }) => (report === undefined ? tapFailures(stdout) : runnerFailures(report)),
  countTests: ({ report, stdout, stderr }) =>
    report === undefined ? runnerTextCount(`${stdout}\n${stderr}`) : runnerCount(report),
  tests: convention,
} satisfies Partial<Toolchain>;

export const typescript: Toolchain = {
  languages: ['typescript', 'typescriptreact'],
  buildCommands: async (task) => {
    const project = await projectOf(task);
    const args = [...project, '--noEmit', '--pretty', 'false'];
    // The bundled compiler is used if the workspace has none.
    const [embedded = 'tsc'] = resolveEmbedded('typescript', task.root);
    return [{ alternatives: [...nodeProgram(task.root, 'tsc', args), [embedded, ...args]] }];
  },
  parseBuild: ({ stdout }) => errorsMatching(stdout, parenthesisError),
  ...tested,
};

export const javascript: Toolchain = {
  languages: ['javascript', 'javascriptreact'],
  buildCommands: async ({ root, target }) => [
    { alternatives: nodeProgram(root, 'eslint', [pathArgument(target?.path ?? '')]) },
  ],
  parseBuild: ({ stdout }) => eslintErrors(stdout),
  ...tested,
};

/** The errors of eslint's usual report: a file on a line of its own, its problems indented below. */
export function eslintErrors(stdout: string): readonly BuildError[] {
  let file = '';
  const errors: BuildError[] = [];
  for (const line of stdout.split('\n')) {
    const problem = /^\s+(\d+):(\d+)\s+error\s+(.+)$/.exec(line);
    if (problem) {
      const message = (problem[3] ?? '').replace(/\s{2,}/g, '  ').trim();
      errors.push({ file, line: Number(problem[1]), column: Number(problem[2]), message });
    } else if (/^\S/.test(line)) file = line.trim();
  }
  return errors;
}

/**
 * The runner is started directly if the test script only calls it, since only then can a report be requested; any
 * other script is run unchanged.
 */
async function testCommands(task: TestTask): Promise<readonly Command[]> {
  const { root, filter } = task;
  const [runner, ...given] = runnerWords(await testScript(root));
  const narrowing = pathsOf(task)
    .filter((path) => path !== '')
    .map(pathArgument);
  const env = { CI: 'true' };
  if (runner === 'vitest')
    return [{ alternatives: nodeProgram(root, 'vitest', vitestArguments(task, given, narrowing)), env }];
  if (runner === 'jest')
    return [{ alternatives: nodeProgram(root, 'jest', jestArguments(task, given, narrowing)), env }];
  if (runner === 'node' && given.includes('--test')) {
    const pattern = filter === undefined ? [] : [`--test-name-pattern=${filter}`];
    return [command(['node', ...given, '--test-reporter=tap', ...pattern, ...narrowing], env)];
  }
  if (filter !== undefined) throw new NotNarrowable('test_filter', 'npm test');
  return [command(['npm', 'test', ...(narrowing.length > 0 ? ['--', ...narrowing] : [])], env)];
}

/** The files or the target that the run is restricted to. */
function pathsOf({ files, target }: TestTask): readonly string[] {
  if (files.length > 0) return files;
  return target ? [target.path] : [];
}

function vitestArguments(
  task: TestTask,
  given: readonly string[],
  narrowing: readonly string[],
): readonly string[] {
  const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${task.reportFile}`];
  const words = given.filter((word) => word !== 'run' && word !== 'watch');
  return ['run', ...words, ...report, ...namePattern(task), ...narrowing.map(bare)];
}

function jestArguments(
  task: TestTask,
  given: readonly string[],
  narrowing: readonly string[],
): readonly string[] {
  const words = given.filter((word) => !word.startsWith('--watch'));
  const args = [...words, '--json', `--outputFile=${task.reportFile}`, ...namePattern(task)];
  if (narrowing.length === 0) return args;
  // Jest takes file names, and anything else as a pattern of names.
  const isFiles = task.files.length > 0 || task.target?.kind === 'file';
  return isFiles
    ? [...args, '--runTestsByPath', '--', ...narrowing]
    : [...args, '--', ...narrowing.map(bare)];
}

function namePattern({ filter }: TestTask): readonly string[] {
  return filter === undefined ? [] : [`--testNamePattern=${filter}`];
}

/** The words of a script that is one plain call; empty if it needs a shell. */
function runnerWords(script: string): readonly string[] {
  if (/[&|;<>$`"'\\*?(){}=\n]/.test(script.replace(/--[\w.-]+=[\w./-]+/g, ''))) return [];
  return script.trim().split(/\s+/);
}

/** Vitest filters by a part of the path, which must not begin with a dot. */
function bare(path: string): string {
  return path.replace(/^\.\//, '');
}

async function testScript(root: string): Promise<string> {
  const manifest = await readJson(join(root, 'package.json'));
  const scripts = isRecord(manifest) ? manifest.scripts : undefined;
  return isRecord(scripts) && typeof scripts.test === 'string' ? scripts.test : '';
}

/** A path means the project that configures it; a project that only has references is built through them. */
async function projectOf({ root, target }: Task): Promise<readonly string[]> {
  const path = target?.path ?? '';
  if (path.endsWith('.json')) return ['--project', pathArgument(path)];
  const directory = await nearestWith(root, target?.kind === 'file' ? parent(path) : path, 'tsconfig.json');
  const own = pathArgument(directory);
  if (await isSolution(join(root, directory, 'tsconfig.json'))) return ['--build', own];
  return directory === '' ? [] : ['--project', own];
}

async function isSolution(file: string): Promise<boolean> {
  const text = await readText(file);
  return text !== undefined && /"references"\s*:/.test(text) && /"files"\s*:\s*\[\s*\]/.test(text);
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse((await readText(file)) ?? 'null');
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}
