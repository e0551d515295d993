/** Java and Kotlin: Gradle or Maven, through the wrapper of the workspace if it has one. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NotNarrowable } from '../build-failure.ts';
import { errorsMatching } from '../compiler-error.ts';
import { nearestWith, parent } from '../presence.ts';
import { executed } from '../test-count.ts';
import type {
  BuildError,
  Command,
  Task,
  TestConvention,
  TestFailure,
  TestTask,
  Toolchain,
} from '../toolchain.ts';

const tests: TestConvention = {
  subjectOf: (name) =>
    /^(?:(.+?)(?:Tests?|IT|Spec)|Test(.+))\.(?:java|kt)$/.exec(name)?.slice(1).find(Boolean),
  beside: 'all',
  elsewhere: 'named',
};

export const gradle: Toolchain = {
  languages: ['kotlin', 'java'],
  detect: async (root) =>
    (await readdir(root)).some((name) => /^(?:build|settings)\.gradle(?:\.kts)?$/.test(name)),
  buildCommands: async (task) => {
    const module = await moduleOf(task, ['build.gradle', 'build.gradle.kts']);
    return [
      wrapped(task.root, 'gradlew', 'gradle', [...named('-p', module), 'build', '--quiet', '-x', 'test']),
    ];
  },
  testCommands: async (task) => {
    const { root, filter, files } = task;
    const module = await moduleOf(task, ['build.gradle', 'build.gradle.kts']);
    const names = [...(filter === undefined ? [] : [filter]), ...files.map(classOf)];
    // A failing module does not prevent testing the others.
    const narrowed = names.flatMap((name) => ['--tests', name]);
    const args = [...named('-p', module), 'test', '--quiet', '--continue', ...narrowed];
    return [wrapped(root, 'gradlew', 'gradle', args)];
  },
  parseBuild: ({ stdout, stderr }) => jvmErrors(`${stdout}\n${stderr}`),
  parseTests: ({ stdout, stderr }) => gradleFailures(`${stdout}\n${stderr}`),
  tests,
};

export const maven: Toolchain = {
  languages: ['java', 'kotlin'],
  detect: async (root) => (await readdir(root)).includes('pom.xml'),
  buildCommands: async (task) => {
    const module = named('-pl', await moduleOf(task, ['pom.xml']));
    return [wrapped(task.root, 'mvnw', 'mvn', ['-B', '-q', ...module, 'compile'])];
  },
  testCommands: async (task) => {
    const names = [...named('-pl', await moduleOf(task, ['pom.xml'])), ...mavenNames(task)];
    return [wrapped(task.root, 'mvnw', 'mvn', ['-B', '-q', '-fae', ...names, 'test'])];
  },
  parseBuild: ({ stdout }) => jvmErrors(stdout),
  parseTests: ({ stdout }) => surefireFailures(stdout),
  countTests: ({ stdout }) => surefireCount(stdout),
  tests,
};

/** Errors of javac through Maven, of javac itself, and of kotlinc in either of its two formats. */
export function jvmErrors(text: string): readonly BuildError[] {
  const patterns = [
    /^\[ERROR\] (?<file>\S[^[\n]*):\[(?<line>\d+),(?<column>\d+)\] (?<message>.+)$/gm,
    /^(?<file>\S[^:\n]*\.java):(?<line>\d+): error: (?<message>.+)$/gm,
    /^e: (?:file:\/\/)?(?<file>[^:\n]+): \((?<line>\d+), (?<column>\d+)\): (?:error: )?(?<message>.+)$/gm,
    /^e: (?:file:\/\/)?(?<file>[^:\n]+):(?<line>\d+):(?<column>\d+):? (?<message>.+)$/gm,
  ];
  return patterns.flatMap((pattern) => errorsMatching(text, pattern));
}

/** `Suite > test() FAILED`, the reason on the next line with the location in the test. */
export function gradleFailures(text: string): readonly TestFailure[] {
  return [...text.matchAll(/^(\S.*) FAILED\n((?: {4,}.*\n?)*)/gm)].flatMap(([, name = '', account = '']) => {
    // Failed tasks have the same format and no test text.
    if (name.startsWith('> Task')) return [];
    const place = /at (?:.*\()?([\w$-]+\.(?:java|kt)):(\d+)/.exec(account);
    return {
      file: place?.[1] ?? '',
      line: Number(place?.[2] ?? 0),
      testName: name,
      message: account.split('\n', 1)[0]?.trim() || 'failed',
    };
  });
}

/** Surefire's text for each failed test: its name, the exception and the frame in its own class. */
export function surefireFailures(stdout: string): readonly TestFailure[] {
  const starts = [
    ...stdout.matchAll(/^\[ERROR\] {1,2}(\S+?)\.([^.\s]+) +-- Time elapsed: .* <<< (?:FAILURE|ERROR)!$/gm),
  ];
  return starts.map((start, index) => {
    const [, className = '', method = ''] = start;
    const account = stdout.slice(start.index + start[0].length, starts[index + 1]?.index);
    const frames = [...account.matchAll(/^\s+at (?:\S+\/)?([\w.$]+)\.[\w$<>]+\(([\w$-]+\.\w+):(\d+)\)$/gm)];
    const own = frames.find((frame) => frame[1] === className || frame[1]?.startsWith(`${className}$`));
    const packagePath = className.split('.').slice(0, -1).join('/');
    return {
      file: own === undefined ? '' : [packagePath, own[2]].filter((part) => part !== '').join('/'),
      line: Number(own?.[3] ?? 0),
      testName: `${className}.${method}`,
      message: account.trim().split('\n', 1)[0] ?? '',
    };
  });
}

/** The total of each module, which has no elapsed time; quiet successful runs print none. */
function surefireCount(stdout: string): number | undefined {
  const totals = stdout
    .split('\n')
    .filter((line) => /Tests run: .*Skipped: \d+\s*$/.test(line))
    .join('\n');
  const none = totals === '' && /^(?:\[INFO\] )?No tests to run\.$/m.test(stdout);
  return none ? 0 : executed(totals, /Tests run: (\d+)/g, /Skipped: (\d+)/g);
}

function mavenNames({ filter, files }: TestTask): readonly string[] {
  if (filter !== undefined && files.length > 0)
    throw new NotNarrowable('test_files', 'maven together with test_filter');
  const names = filter === undefined ? files.map(classOf) : [filter];
  return names.length === 0 ? [] : [`-Dtest=${names.join(',')}`, '-Dsurefire.failIfNoSpecifiedTests=false'];
}

function classOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
}

/** The directory of the module that contains a path; empty for the whole project. */
async function moduleOf({ root, target }: Task, manifests: readonly string[]): Promise<string> {
  const path = target?.path ?? '';
  const directory = target?.kind === 'file' ? parent(path) : path;
  const modules = await Promise.all(manifests.map((name) => nearestWith(root, directory, name)));
  return modules.reduce((nearest, each) => (each.length > nearest.length ? each : nearest), '');
}

function named(option: string, module: string): readonly string[] {
  return module === '' ? [] : [option, `./${module}`];
}

function wrapped(root: string, wrapper: string, program: string, args: readonly string[]): Command {
  return {
    alternatives: [
      [join(root, wrapper), ...args],
      [program, ...args],
    ],
  };
}
