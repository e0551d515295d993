/**
 * Parses reports of JavaScript test runners: the JSON of vitest and jest, and the TAP of Node's runner.
 *
 * Invariant: a suite that could not be loaded is a failure.
 */
import { isRecord } from '../base/record.ts';
import type { TestFailure } from './toolchain.ts';

export function runnerFailures(report: string): readonly TestFailure[] {
  const parsed = parsedJson(report);
  const suites = isRecord(parsed) && Array.isArray(parsed.testResults) ? parsed.testResults : [];
  return suites.filter(isRecord).flatMap((suite) => {
    const file = textOf(suite.name);
    const tests = Array.isArray(suite.assertionResults) ? suite.assertionResults.filter(isRecord) : [];
    const failed = tests.filter((test) => test.status === 'failed');
    if (failed.length === 0 && suite.status === 'failed') {
      const message = textOf(suite.message).trim();
      return [{ file, line: lineIn(file, message), testName: file, message }];
    }
    return failed.map((test) => {
      const account = Array.isArray(test.failureMessages) ? test.failureMessages.map(textOf).join('\n') : '';
      return { file, line: lineIn(file, account), testName: nameOf(test), message: withoutStack(account) };
    });
  });
}

/** The failed tests of a TAP stream, without suites that failed only because of them. */
export function tapFailures(stream: string): readonly TestFailure[] {
  const failures: TestFailure[] = [];
  for (const match of stream.matchAll(/^( *)not ok \d+ - (.+)\n\1 {2}---\n([\s\S]*?)\n\1 {2}\.\.\.$/gm)) {
    const [, , name = '', detail = ''] = match;
    if (/failureType: 'subtestsFailed'/.test(detail)) continue;
    const declared = /location: '(.+):(\d+):\d+'/.exec(detail);
    const file = declared?.[1] ?? '';
    failures.push({
      file,
      line: lineIn(file, detail.slice(Math.max(0, detail.indexOf('stack:')))) || Number(declared?.[2] ?? 0),
      testName: name,
      message: errorIn(detail),
    });
  }
  return failures;
}

function errorIn(detail: string): string {
  const block = /^( *)error: \|-\n([\s\S]*?)\n(?=\1\w+:)/m.exec(detail);
  if (block) {
    const lines = (block[2] ?? '').split('\n').map((line) => line.trim());
    return lines.join('\n').trim();
  }
  return /error: '(.*)'/.exec(detail)?.[1] ?? '';
}

/** The innermost frame in the test's own file. */
function lineIn(file: string, account: string): number {
  if (file === '') return 0;
  const at = account.indexOf(`${file}:`);
  return at < 0 ? 0 : Number.parseInt(account.slice(at + file.length + 1), 10) || 0;
}

function nameOf(test: Readonly<Record<string, unknown>>): string {
  const above = Array.isArray(test.ancestorTitles) ? test.ancestorTitles.map(textOf) : [];
  return [...above, textOf(test.title)].join(' > ');
}

function withoutStack(account: string): string {
  const stack = account.search(/\n\s+at /);
  return (stack < 0 ? account : account.slice(0, stack)).trim();
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A runner that crashed while writing leaves an incomplete report.
    return undefined;
  }
}
