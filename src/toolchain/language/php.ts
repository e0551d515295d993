/** PHP: nothing to build; PHPUnit of the workspace is preferred to the one on the search path. */
import { join } from 'node:path';
import { NotNarrowable } from '../build-failure.ts';
import { junitFailures } from '../junit-report.ts';
import { junitCount } from '../test-count.ts';
import { pathArgument, type TestFailure, type Toolchain } from '../toolchain.ts';

export const php: Toolchain = {
  languages: ['php'],
  testCommands: async ({ root, target, filter, files, reportFile }) => {
    if (files.length > 1) throw new NotNarrowable('test_files', 'phpunit with more than one file');
    const path = files[0] ?? target?.path ?? '';
    const names = filter === undefined ? [] : ['--filter', filter];
    const args = [
      '--colors=never',
      '--log-junit',
      reportFile,
      ...names,
      ...(path === '' ? [] : [pathArgument(path)]),
    ];
    return [
      {
        alternatives: [
          [join(root, 'vendor', 'bin', 'phpunit'), ...args],
          ['phpunit', ...args],
        ],
      },
    ];
  },
  parseBuild: () => [],
  parseTests: ({ report }) => phpunitFailures(report ?? ''),
  countTests: ({ report, stdout }) => (/^No tests executed!$/m.test(stdout) ? 0 : junitCount(report)),
  tests: {
    subjectOf: (name) => /^(.+)Test\.php$/.exec(name)?.[1],
    beside: 'named',
    elsewhere: 'named',
  },
};

/** The text begins with the test's name and ends with its stack. */
function phpunitFailures(report: string): readonly TestFailure[] {
  return junitFailures(report).map(({ name, className, file = '', line, detail }) => {
    const traced = detail.split('\n').find((each) => each.startsWith(`${file}:`));
    return {
      file,
      line: traced === undefined ? (line ?? 0) : Number(traced.slice(file.length + 1)),
      testName: className === '' ? name : `${className}::${name}`,
      message: detail.split('\n').slice(1).join('\n').split('\n\n', 1)[0]?.trim() ?? '',
    };
  });
}
