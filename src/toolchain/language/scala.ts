/** Scala: sbt compiles and tests. */

import { NotNarrowable } from '../build-failure.ts';
import { errorsMatching } from '../compiler-error.ts';
import { summed, total } from '../test-count.ts';
import { type BuildError, command, type TestFailure, type Toolchain } from '../toolchain.ts';

export const scala: Toolchain = {
  languages: ['scala'],
  narrowing: 'none',
  buildCommands: async () => [command(['sbt', '-batch', '-Dsbt.color=false', 'compile'])],
  testCommands: async ({ filter, files }) => {
    if (files.length > 0) throw new NotNarrowable('test_files', 'sbt');
    // A quotation mark would end the word from which sbt reads the pattern.
    if (filter?.includes('"')) throw new NotNarrowable('test_filter', 'sbt with a quotation mark');
    const task = filter === undefined ? 'test' : `testOnly "*${filter}*"`;
    return [command(['sbt', '-batch', '-Dsbt.color=false', task])];
  },
  parseBuild: ({ stdout }) => scalaErrors(stdout),
  parseTests: ({ stdout }) => scalaFailures(stdout),
  countTests: ({ stdout }) =>
    total(
      summed(stdout, /^\[info\] Tests: succeeded (\d+), failed (\d+),/gm) ??
        summed(
          stdout,
          /^\[(?:info|error)\] (?:Passed|Failed): Total \d+, Failed (\d+), Errors (\d+), Passed (\d+)/gm,
        ),
      /^\[info\] No tests (?:were executed|to run for)/m.test(stdout) ? 0 : undefined,
    ),
  tests: {
    subjectOf: (name) => /^(.+?)(?:Test|Tests|Spec|Suite)\.scala$/.exec(name)?.[1],
    beside: 'named',
    elsewhere: 'named',
  },
};

function scalaErrors(stdout: string): readonly BuildError[] {
  const second = /^\[error\] (?<file>[^\s:][^:\n]*\.scala):(?<line>\d+):(?<column>\d+): (?<message>.+)$/gm;
  const third =
    /^\[error\] -- (?:\[\w+\] )?(?<message>.+?): (?<file>\S+\.scala):(?<line>\d+):(?<column>\d+)[ -]*$/gm;
  return [...errorsMatching(stdout, second), ...errorsMatching(stdout, third)];
}

/**
 * ScalaTest marks the failed line and prints the reason with its location below; munit prints the location itself.
 */
function scalaFailures(stdout: string): readonly TestFailure[] {
  const scalatest = [
    ...stdout.matchAll(
      /^\[info\]\s*-? ?(.+?) \*\*\* FAILED \*\*\*.*\n\[info\]\s+(.+?) \(([\w.-]+\.scala):(\d+)\)$/gm,
    ),
  ];
  const munit = [
    ...stdout.matchAll(/^==> X (\S.*?) {2}[\d.]+s \S*(?:Exception|Error): (\S+\.scala):(\d+)(?: (.*))?$/gm),
  ];
  return [
    ...scalatest.map(([, testName = '', message = '', file = '', line = '0']) => ({
      file,
      line: Number(line),
      testName: testName.trim(),
      message,
    })),
    ...munit.map(([, testName = '', file = '', line = '0', message = '']) => ({
      file,
      line: Number(line),
      testName,
      message: message || 'failed',
    })),
  ];
}
