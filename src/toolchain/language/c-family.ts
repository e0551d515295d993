/** C and C++: CMake with CTest, else make. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NotNarrowable } from '../build-failure.ts';
import { colonError, errorsMatching, parenthesisError } from '../compiler-error.ts';
import { junitFailures } from '../junit-report.ts';
import { exists } from '../presence.ts';
import { junitCount } from '../test-count.ts';
import {
  type BuildError,
  type Command,
  command,
  type Output,
  type TestConvention,
  type TestFailure,
  type TestTask,
  type Toolchain,
} from '../toolchain.ts';

const tests: TestConvention = {
  subjectOf: (name) =>
    /^(?:(.+?)[_-]?(?:[tT]ests?|unittest)|test[_-](.+))\.(?:c|cc|cpp|cxx)$/
      .exec(name)
      ?.slice(1)
      .find(Boolean),
  beside: 'named',
  elsewhere: 'named',
};

export const cmake: Toolchain = {
  languages: ['cpp', 'c'],
  narrowing: 'none',
  detect: async (root) => (await readdir(root)).includes('CMakeLists.txt'),
  buildCommands: ({ root }) => cmakeBuild(root),
  testCommands: async ({ root, filter, files, reportFile }) => {
    if (files.length > 0) throw new NotNarrowable('test_files', 'ctest');
    const names = filter === undefined ? [] : ['-R', filter];
    const directory = `./${(await buildDirectory(root)) ?? freshDirectory}`;
    const report = ['--output-on-failure', '--output-junit', reportFile];
    return [...(await cmakeBuild(root)), command(['ctest', '--test-dir', directory, ...report, ...names])];
  },
  parseBuild: compilerErrors,
  parseTests: ({ report }) => ctestFailures(report ?? ''),
  countTests: ({ report, stdout, stderr }) =>
    report === undefined ? ctestCount(`${stdout}\n${stderr}`) : junitCount(report),
  tests,
};

export const make: Toolchain = {
  languages: ['c', 'cpp'],
  narrowing: 'none',
  detect: async (root) => (await readdir(root)).some(isMakefile),
  buildCommands: async () => [command(['make'])],
  testCommands: async (task) => [command(['make', await testTarget(task)])],
  parseBuild: compilerErrors,
  tests,
};

/** A CTest test is a program; the location is the first one in its output. */
export function ctestFailures(report: string): readonly TestFailure[] {
  return junitFailures(report).map(({ name, message, detail }) => {
    const place = /([^\s:()]+\.(?:c|cc|cpp|cxx|h|hpp))[:(](\d+)/.exec(detail);
    return {
      file: place?.[1] ?? '',
      line: Number(place?.[2] ?? 0),
      testName: name,
      message: detail.trim() || message,
    };
  });
}

function ctestCount(text: string): number | undefined {
  if (/^No tests were found!!!$/m.test(text)) return 0;
  const ended = [...text.matchAll(/^\s*\d+\/\d+ Test +#\d+: (.*)$/gm)].map((match) => match[1] ?? '');
  if (ended.length === 0) return undefined;
  return ended.filter((line) => !/\*\*\*(?:Not Run|Skipped)/.test(line)).length;
}

function compilerErrors({ stdout, stderr }: Output): readonly BuildError[] {
  const text = `${stdout}\n${stderr}`;
  return [...errorsMatching(text, colonError), ...errorsMatching(text, parenthesisError)];
}

const freshDirectory = 'build';

/** An unconfigured tree is configured first, in the usual directory. */
async function cmakeBuild(root: string): Promise<readonly Command[]> {
  const known = await buildDirectory(root);
  const build = command(['cmake', '--build', `./${known ?? freshDirectory}`]);
  return known === undefined ? [command(['cmake', '-S', '.', '-B', `./${freshDirectory}`]), build] : [build];
}

/** The configured directory, `build` before others. */
async function buildDirectory(root: string): Promise<string | undefined> {
  const names = (await readdir(root)).filter((name) => /^(?:build|out|cmake-build-)/.test(name)).sort();
  for (const name of names) {
    if (await exists(join(root, name, 'CMakeCache.txt'))) return name;
  }
  return undefined;
}

/** `check` if the makefile has it and no `test`. */
async function testTarget({ root, filter, files }: TestTask): Promise<string> {
  if (filter !== undefined) throw new NotNarrowable('test_filter', 'make');
  if (files.length > 0) throw new NotNarrowable('test_files', 'make');
  const name = (await readdir(root)).find(isMakefile) ?? 'Makefile';
  const text = await readFile(join(root, name), 'utf8');
  return !/^test\s*:/m.test(text) && /^check\s*:/m.test(text) ? 'check' : 'test';
}

function isMakefile(name: string): boolean {
  return name === 'Makefile' || name === 'makefile' || name === 'GNUmakefile';
}
