/**
 * Python: mypy checks, pytest tests; a virtual environment of the workspace takes precedence over the search path.
 */
import { dirname, join } from 'node:path';
import { resolveEmbedded } from '../../servers/embedded-server.ts';
import { errorsMatching } from '../compiler-error.ts';
import { junitFailures } from '../junit-report.ts';
import { executed, junitCount, summed, total } from '../test-count.ts';
import {
  type BuildError,
  type Command,
  pathArgument,
  type TestFailure,
  type Toolchain,
} from '../toolchain.ts';

export const python: Toolchain = {
  languages: ['python'],
  buildCommands: async ({ root, target }) => {
    const path = pathArgument(target?.path ?? '');
    const mypy = inEnvironment(root, 'mypy', [
      '--show-column-numbers',
      '--no-pretty',
      '--no-color-output',
      path,
    ]);
    // The bundled type checker is used if mypy is not installed.
    return [{ alternatives: [...mypy.alternatives, [...pyright(), path]] }];
  },
  testCommands: async ({ root, target, filter, files, reportFile }) => {
    const selector = target?.selector === undefined ? '' : `::${target.selector}`;
    const paths =
      files.length > 0 ? files.map(pathArgument) : [`${pathArgument(target?.path ?? '')}${selector}`];
    const report = ['-o', 'junit_family=xunit1', `--junitxml=${reportFile}`];
    const names = filter === undefined ? [] : [`-k${filter}`];
    return [inEnvironment(root, 'pytest', ['-q', '--tb=short', '-rfE', ...report, ...names, ...paths])];
  },
  parseBuild: ({ stdout }) => checkerErrors(stdout),
  parseTests: ({ report }) => pytestFailures(report ?? ''),
  countTests: ({ report, stdout, stderr }) =>
    report === undefined ? pythonCount(`${stdout}\n${stderr}`) : junitCount(report),
  tests: {
    subjectOf: (name) => /^(?:test_(.+)|(.+)_test)\.py$/.exec(name)?.slice(1).find(Boolean),
    beside: 'all',
    directories: ['tests'],
    elsewhere: 'none',
  },
};

/** The errors of mypy or pyright. */
export function checkerErrors(stdout: string): readonly BuildError[] {
  return [...errorsMatching(stdout, mypyError), ...errorsMatching(stdout, pyrightError)];
}

const mypyError = /^(?<file>[^\s:][^:\n]*):(?<line>\d+)(?::(?<column>\d+))?: error: (?<message>.+)$/gm;

const pyrightError = /^\s+(?<file>\S[^\n]*?):(?<line>\d+):(?<column>\d+) - error: (?<message>.+)$/gm;

export function pytestFailures(report: string): readonly TestFailure[] {
  return junitFailures(report).map(({ name, className, file, line, message, detail }) => ({
    file: file ?? '',
    line: lineIn(file ?? '', detail) ?? (line === undefined ? 0 : line + 1),
    testName: nodeId({ name, className, file: file ?? '' }),
    message: message === 'collection failure' ? lastError(detail) : message,
  }));
}

/** The last line of pytest, and the two of unittest: `Ran 3 tests in 0.1s`, `OK (skipped=3)`. */
function pythonCount(text: string): number | undefined {
  const ended = [
    ...text.matchAll(
      /^=*\s*((?:no tests ran|\d+ (?:passed|failed|skipped|deselected|x\w+|errors?)).*) in [\d.]+s/gm,
    ),
  ].map((match) => summed(match[1] ?? '', /\b(\d+) (?:passed|failed|xfailed|xpassed|errors?)\b/g) ?? 0);
  const unittest = executed(
    text,
    /^Ran (\d+) tests? in /gm,
    /^(?:OK|FAILED|NO TESTS RAN) \(.*\bskipped=(\d+)/gm,
  );
  return total(...ended, unittest);
}

/** The line of the failure in the test's own file: its first frame, from which everything else was called. */
function lineIn(file: string, detail: string): number | undefined {
  const frame = detail.split('\n').find((line) => line.startsWith(`${file}:`));
  return frame === undefined || file === '' ? undefined : Number.parseInt(frame.slice(file.length + 1), 10);
}

/** `tests/test_core.py::TestHalf::test_half`, which pytest also accepts as an argument. */
function nodeId(test: { readonly name: string; readonly className: string; readonly file: string }): string {
  if (test.file === '') return [test.className, test.name].filter((part) => part !== '').join('.');
  if (test.className === '') return test.file;
  const module = test.file.replace(/\.py$/, '').replaceAll('/', '.');
  const classes = test.className
    .slice(module.length)
    .split('.')
    .filter((part) => part !== '');
  return [test.file, ...classes, test.name].join('::');
}

function lastError(detail: string): string {
  return (
    detail
      .split('\n')
      .findLast((line) => line.startsWith('E '))
      ?.slice(1)
      .trim() ?? detail
  );
}

function inEnvironment(root: string, program: string, args: readonly string[]): Command {
  const bin = process.platform === 'win32' ? 'Scripts' : 'bin';
  const places = ['.venv', 'venv'].map((name) => join(root, name, bin, program));
  return { alternatives: [...places, program].map((each) => [each, ...args]) };
}

function pyright(): readonly string[] {
  const [node = '', server = ''] = resolveEmbedded('pyright');
  return [node, join(dirname(server), 'index.js')];
}
