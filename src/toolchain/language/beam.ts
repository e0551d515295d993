/** Elixir and Gleam. */

import { NotNarrowable } from '../build-failure.ts';
import { errorsMatching } from '../compiler-error.ts';
import { executed, summed } from '../test-count.ts';
import { command, pathArgument, type TestFailure, type Toolchain } from '../toolchain.ts';

export const elixir: Toolchain = {
  languages: ['elixir'],
  buildCommands: async () => [command(['mix', 'compile'])],
  testCommands: async ({ target, filter, files }) => {
    if (filter !== undefined) throw new NotNarrowable('test_filter', 'mix test');
    const paths = files.length > 0 ? files : target && target.path !== '' ? [target.path] : [];
    return [command(['mix', 'test', '--no-color', ...paths.map(pathArgument)])];
  },
  parseBuild: ({ stdout, stderr }) => elixirErrors(`${stdout}\n${stderr}`),
  parseTests: ({ stdout }) => exunitFailures(stdout),
  countTests: ({ stdout }) => {
    if (/^There are no tests to run$/m.test(stdout)) return 0;
    const ended = /^(?:\d+ (?:doctests?|propert(?:y|ies)|tests?), )+\d+ failures?.*$/gm;
    const lines = [...stdout.matchAll(ended)].map((match) => match[0]).join('\n');
    return executed(
      lines,
      /\b(\d+) (?:doctests?|propert(?:y|ies)|tests?),/g,
      /\b(\d+) (?:skipped|excluded|invalid)\b/g,
    );
  },
  tests: {
    subjectOf: (name) => /^(.+)_test\.exs$/.exec(name)?.[1],
    beside: 'named',
    elsewhere: 'named',
  },
};

export const gleam: Toolchain = {
  languages: ['gleam'],
  narrowing: 'none',
  buildCommands: async () => [command(['gleam', 'build'])],
  testCommands: async ({ filter, files }) => {
    if (filter !== undefined) throw new NotNarrowable('test_filter', 'gleam test');
    if (files.length > 0) throw new NotNarrowable('test_files', 'gleam test');
    return [command(['gleam', 'test'])];
  },
  parseBuild: ({ stdout, stderr }) => errorsMatching(`${stdout}\n${stderr}`, gleamError),
  countTests: ({ stdout }) => summed(stdout, /^(\d+) (?:tests?|passed), (?:no|\d+) failures?$/gm),
  tests: {
    subjectOf: (name) => /^(.+)_test\.gleam$/.exec(name)?.[1],
    beside: 'named',
    elsewhere: 'named',
  },
};

const gleamError = /^error: (?<message>.+)\n(?:\s*\n)?\s*┌─ (?<file>.+):(?<line>\d+):(?<column>\d+)$/gm;

/** The location follows the message in the older format, and is below a frame in the newer one. */
function elixirErrors(text: string): ReturnType<typeof errorsMatching> {
  const framed =
    /^\s*error: (?<message>.+)\n(?:(?!\s*(?:error|warning):).*\n)*?\s*└─ (?<file>[^:\n]+):(?<line>\d+)(?::(?<column>\d+))?/gm;
  const plain = /^\*\* \(\w+\) (?<file>[^:\n]+\.exs?):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.+)$/gm;
  return [...errorsMatching(text, framed), ...errorsMatching(text, plain)];
}

/** A numbered heading, the location of the test, then its text with a stack trace that ends in the test. */
function exunitFailures(stdout: string): readonly TestFailure[] {
  const accounts = stdout.matchAll(
    /^ {2}\d+\) (.+)\n {5}(\S+):(\d+)\n([\s\S]*?)(?=^ {2}\d+\) |^Finished in |^\.*\n(?! {5}))/gm,
  );
  return [...accounts].map(([, testName = '', file = '', declared = '0', account = '']) => {
    const traced = account.split('\n').find((line) => line.trim().startsWith(`${file}:`));
    const end = account.search(/^ {5}stacktrace:/m);
    return {
      file,
      line: Number(
        traced
          ?.trim()
          .slice(file.length + 1)
          .split(':', 1)[0] ?? declared,
      ),
      testName,
      message: (end < 0 ? account : account.slice(0, end))
        .split('\n')
        .map((line) => line.trim())
        .join('\n')
        .trim(),
    };
  });
}
