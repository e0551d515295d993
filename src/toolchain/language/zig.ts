/** Zig: the build script decides what is built and tested. */

import { NotNarrowable } from '../build-failure.ts';
import { colonError, errorsMatching } from '../compiler-error.ts';
import { command, type TestFailure, type Toolchain } from '../toolchain.ts';

export const zig: Toolchain = {
  languages: ['zig'],
  narrowing: 'none',
  buildCommands: async () => [command(['zig', 'build'])],
  testCommands: async ({ filter, files }) => {
    if (filter !== undefined) throw new NotNarrowable('test_filter', 'zig build test');
    if (files.length > 0) throw new NotNarrowable('test_files', 'zig build test');
    return [command(['zig', 'build', 'test'])];
  },
  parseBuild: ({ stderr }) => errorsMatching(stderr, colonError),
  parseTests: ({ stderr }) => zigFailures(stderr),
  tests: { subjectOf: () => undefined, beside: 'named', elsewhere: 'none', inline: true },
};

/** `error: 'module.test.name' failed: reason`, with the trace of the failed expectation below. */
function zigFailures(stderr: string): readonly TestFailure[] {
  const starts = [...stderr.matchAll(/^error: '(.+?)' failed(?:: (.*))?$/gm)];
  return starts.map((start, index) => {
    const account = stderr.slice(start.index, starts[index + 1]?.index);
    const frames = [...account.matchAll(/^(\S+\.zig):(\d+):\d+: 0x/gm)];
    const place = frames.find((frame) => !/\/lib\/(?:zig\/)?std\//.test(frame[1] ?? ''));
    return {
      file: place?.[1] ?? '',
      line: Number(place?.[2] ?? 0),
      testName: start[1] ?? '',
      message: start[2]?.trim() || 'failed',
    };
  });
}
