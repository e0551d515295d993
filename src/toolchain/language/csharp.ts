/** C#: dotnet builds and tests a project, a solution or the directory of one. */

import { NotNarrowable } from '../build-failure.ts';
import { errorsMatching, parenthesisError } from '../compiler-error.ts';
import { summed } from '../test-count.ts';
import { command, pathArgument, type Target, type TestFailure, type Toolchain } from '../toolchain.ts';

export const csharp: Toolchain = {
  languages: ['csharp'],
  buildCommands: async ({ target }) => [command(['dotnet', 'build', ...projectOf(target)], quiet)],
  testCommands: async ({ target, filter, files }) => {
    if (files.length > 0) throw new NotNarrowable('test_files', 'dotnet test');
    const names = filter === undefined ? [] : ['--filter', filter];
    const logger = ['--logger', 'console;verbosity=detailed'];
    return [command(['dotnet', 'test', ...projectOf(target), ...logger, ...names], quiet)];
  },
  parseBuild: ({ stdout }) =>
    errorsMatching(stdout, parenthesisError).map((error) => ({
      ...error,
      message: withoutProject(error.message),
    })),
  parseTests: ({ stdout }) => dotnetFailures(stdout),
  countTests: ({ stdout }) => dotnetCount(stdout),
  tests: {
    subjectOf: (name) => /^(?:(.+?)Tests?|Test(.+))\.cs$/.exec(name)?.slice(1).find(Boolean),
    beside: 'all',
    elsewhere: 'named',
  },
};

const quiet = { DOTNET_NOLOGO: '1', DOTNET_CLI_TELEMETRY_OPTOUT: '1' };

/** `Failed Name [12 ms]`, the reason on the line after `Error Message:`, the location in the stack trace. */
function dotnetFailures(stdout: string): readonly TestFailure[] {
  const starts = [...stdout.matchAll(/^\s*Failed (\S.*?) \[[^\]\n]+\]$/gm)];
  return starts.map((start, index) => {
    const account = stdout.slice(start.index, starts[index + 1]?.index);
    const place = /\) in (.+):line (\d+)/.exec(account);
    return {
      file: place?.[1] ?? '',
      line: Number(place?.[2] ?? 0),
      testName: start[1] ?? '',
      message: /Error Message:\s*\n\s*(.+)/.exec(account)?.[1]?.trim() ?? 'failed',
    };
  });
}

/** One summary per project, in the short or the detailed format. */
function dotnetCount(stdout: string): number | undefined {
  const ended = summed(
    stdout,
    /^(?:Passed|Failed|Skipped)! +- Failed: +(\d+), Passed: +(\d+),|^ {4,}(?:Passed|Failed): (\d+)$/gm,
  );
  if (ended !== undefined) return ended;
  if (/^Total tests: /m.test(stdout)) return 0;
  return /^No test (?:matches the given testcase filter|is available in)/m.test(stdout) ? 0 : undefined;
}

function projectOf(target: Target | undefined): readonly string[] {
  return target === undefined || target.path === '' ? [] : [pathArgument(target.path)];
}

/** Every message ends with its project. */
function withoutProject(message: string): string {
  return message.replace(/ \[[^\]]+\.\w*proj[^\]]*\]$/, '');
}
