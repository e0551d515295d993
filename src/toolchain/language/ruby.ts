/** Ruby: nothing to build; RSpec or the Rakefile's tests, through Bundler if there is a Gemfile. */
import { readdir } from 'node:fs/promises';
import { NotNarrowable } from '../build-failure.ts';
import { executed, total } from '../test-count.ts';
import { type Command, pathArgument, type TestFailure, type TestTask, type Toolchain } from '../toolchain.ts';

export const ruby: Toolchain = {
  languages: ['ruby'],
  testCommands: async (task) => {
    const names = await readdir(task.root);
    const args = names.includes('spec') || names.includes('.rspec') ? rspec(task) : rake(task);
    return [names.includes('Gemfile') ? bundled(args) : { alternatives: [args] }];
  },
  parseBuild: () => [],
  parseTests: ({ stdout }) => [...rspecFailures(stdout), ...minitestFailures(stdout)],
  countTests: ({ stdout }) =>
    total(
      executed(stdout, /^(\d+) examples?, /gm, /^\d+ examples?, .*\b(\d+) pending/gm),
      executed(stdout, /^(\d+) (?:runs|tests), \d+ assertions, /gm, /^\d+ runs, .*\b(\d+) skips/gm),
    ),
  tests: {
    subjectOf: (name) => /^(?:(.+)_(?:spec|test)|test_(.+))\.rb$/.exec(name)?.slice(1).find(Boolean),
    beside: 'named',
    elsewhere: 'named',
  },
};

/** The summary names every failed example; its reason is in the numbered list above. */
function rspecFailures(stdout: string): readonly TestFailure[] {
  const accounts = [...stdout.matchAll(/^ {2}(\d+)\) (.+)\n([\s\S]*?)(?=^ {2}\d+\) |^Finished in )/gm)];
  return accounts.map(([, , name = '', account = '']) => {
    const place = /# (\.\/\S+?):(\d+):in/.exec(account);
    const reason = /Failure\/Error: .*\n\s*\n?([\s\S]*?)(?=^\s+# )/m.exec(account)?.[1] ?? account;
    return {
      file: place?.[1] ?? '',
      line: Number(place?.[2] ?? 0),
      testName: name.trim(),
      message: unindented(reason),
    };
  });
}

/** `Suite#test [file:line]:` under a numbered heading. */
function minitestFailures(stdout: string): readonly TestFailure[] {
  const accounts = stdout.matchAll(
    /^ {2}\d+\) (?:Failure|Error):\n(\S+#.+?)(?: \[(.+):(\d+)\])?:\n([\s\S]*?)(?=\n\n|\n*$(?![\s\S]))/gm,
  );
  return [...accounts].map(([, testName = '', file = '', line = '0', reason = '']) => {
    const traced = /^\s+(\S+\.rb):(\d+):in/m.exec(reason);
    return {
      file: file || (traced?.[1] ?? ''),
      line: Number(file === '' ? (traced?.[2] ?? 0) : line),
      testName,
      message: unindented(reason),
    };
  });
}

function rspec({ target, filter, files }: TestTask): readonly string[] {
  const paths = files.length > 0 ? files : target && target.path !== '' ? [target.path] : [];
  const names = filter === undefined ? [] : ['--example', filter];
  return ['rspec', '--no-color', '--format', 'progress', ...names, ...paths.map(pathArgument)];
}

function rake({ target, filter, files }: TestTask): readonly string[] {
  const paths = files.length > 0 ? files : target?.kind === 'file' ? [target.path] : [];
  if (paths.length > 1) throw new NotNarrowable('test_files', 'rake with more than one file');
  const names = filter === undefined ? [] : [`TESTOPTS=--name=/${filter}/`];
  return ['rake', 'test', ...paths.map((path) => `TEST=${path}`), ...names];
}

function bundled(args: readonly string[]): Command {
  return { alternatives: [['bundle', 'exec', ...args], args] };
}

function unindented(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
}
