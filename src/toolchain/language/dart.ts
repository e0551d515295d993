/** Dart: the analyzer checks, the test package tests and reports as a stream of JSON. */
import { isRecord } from '../../base/record.ts';
import { errorsMatching } from '../compiler-error.ts';
import { command, pathArgument, type TestFailure, type Toolchain } from '../toolchain.ts';

export const dart: Toolchain = {
  languages: ['dart'],
  buildCommands: async ({ target }) => [
    command(['dart', 'analyze', '--format=machine', pathArgument(target?.path ?? '')]),
  ],
  testCommands: async ({ target, filter, files, reportFile }) => {
    const paths = files.length > 0 ? files : target && target.path !== '' ? [target.path] : [];
    const names = filter === undefined ? [] : [`--name=${filter}`];
    const report = ['--no-color', '--reporter=expanded', `--file-reporter=json:${reportFile}`];
    return [command(['dart', 'test', ...report, ...names, ...paths.map(pathArgument)])];
  },
  parseBuild: ({ stdout }) => errorsMatching(stdout, machineError),
  parseTests: ({ report }) => dartFailures(report ?? ''),
  countTests: ({ report }) => (report === undefined ? undefined : dartCount(report)),
  tests: {
    subjectOf: (name) => /^(.+)_test\.dart$/.exec(name)?.[1],
    beside: 'named',
    elsewhere: 'named',
  },
};

const machineError =
  /^ERROR\|\w+\|\w+\|(?<file>[^|\n]+)\|(?<line>\d+)\|(?<column>\d+)\|\d+\|(?<message>.+)$/gm;

/** Tests are announced with their location and an id, to which their errors refer. */
function dartFailures(report: string): readonly TestFailure[] {
  const events = report.split('\n').flatMap(readEvent);
  const announced = new Map(events.flatMap(({ test }) => (isRecord(test) ? [[test.id, test] as const] : [])));
  return events.flatMap((event) => {
    if (event.type !== 'error') return [];
    const test = announced.get(event.testID);
    // For helpers of a package, the line of the calling test file is used.
    const url = test?.root_url ?? test?.url;
    const line = test?.root_line ?? test?.line;
    return {
      file: typeof url === 'string' ? url.replace(/^file:\/\//, '') : '',
      line: typeof line === 'number' ? line : 0,
      testName: String(test?.name ?? ''),
      message: String(event.error ?? '').trim(),
    };
  });
}

/** Loading a file is announced as a hidden test. */
function dartCount(report: string): number | undefined {
  const events = report.split('\n').flatMap(readEvent);
  if (!events.some(({ type }) => type === 'done')) return undefined;
  return events.filter(({ type, hidden, skipped }) => type === 'testDone' && !hidden && !skipped).length;
}

function readEvent(line: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    const event: unknown = JSON.parse(line);
    return isRecord(event) ? [event] : [];
  } catch {
    // The last line of an interrupted run may be incomplete.
    return [];
  }
}
