/** Swift: the package manager builds and tests the whole package; a filter selects tests. */

import { NotNarrowable } from '../build-failure.ts';
import { colonError, errorsMatching } from '../compiler-error.ts';
import { summed, total } from '../test-count.ts';
import { command, type TestFailure, type Toolchain } from '../toolchain.ts';

export const swift: Toolchain = {
  languages: ['swift'],
  narrowing: 'none',
  buildCommands: async () => [command(['swift', 'build'])],
  testCommands: async ({ filter, files }) => {
    if (files.length > 0) throw new NotNarrowable('test_files', 'swift test');
    return [command(['swift', 'test', ...(filter === undefined ? [] : ['--filter', filter])])];
  },
  parseBuild: ({ stdout, stderr }) => errorsMatching(`${stdout}\n${stderr}`, colonError),
  parseTests: ({ stdout, stderr }) => xctestFailures(`${stdout}\n${stderr}`),
  countTests: ({ stdout, stderr }) => xctestCount(`${stdout}\n${stderr}`),
  tests: {
    subjectOf: (name) => /^(.+)Tests\.swift$/.exec(name)?.[1],
    beside: 'all',
    elsewhere: 'named',
  },
};

/** XCTest counts every suite and its enclosing suites; Swift Testing ends with one separate line. */
function xctestCount(text: string): number | undefined {
  const suites = [...text.matchAll(/^\s*Executed (\d+) tests?, with (?:(\d+) tests? skipped)?/gm)];
  const counts = suites.map(([, all = '0', skipped = '0']) => Number(all) - Number(skipped));
  return total(
    counts.length > 0 ? Math.max(...counts) : undefined,
    summed(text, /Test run with (\d+) tests? /g),
  );
}

/** `Test Case 'Suite.test' failed`, preceded by its reasons as errors that name the same test. */
function xctestFailures(text: string): readonly TestFailure[] {
  const names = new Set([...text.matchAll(/^Test Case '(.+?)' failed/gm)].map((match) => match[1] ?? ''));
  return [...names].map((name) => {
    const reason = [...text.matchAll(/^(.+?):(\d+): error: (.+?) : (.+)$/gm)].find(
      (match) => match[3] === name,
    );
    return {
      file: reason?.[1] ?? '',
      line: Number(reason?.[2] ?? 0),
      testName: name,
      message: reason?.[4] ?? 'failed',
    };
  });
}
