/**
 * The number of executed tests, from the output or report of a runner.
 *
 * Invariant: undefined if the output does not show it. 0 only if the runner itself reports that no test was executed;
 * a skipped test was not executed.
 */
import { isRecord } from '../base/record.ts';

/** The sum of all numbers the pattern captures; undefined without a match. */
export function summed(text: string, pattern: RegExp): number | undefined {
  const numbers = [...text.matchAll(pattern)].flatMap((match) =>
    match.slice(1).flatMap((each) => each ?? []),
  );
  return numbers.length === 0 ? undefined : numbers.reduce((sum, each) => sum + Number(each), 0);
}

/** The sum of the known counts; undefined if none is known. */
export function total(...counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, each) => sum + each, 0);
}

/** `3 of which 1 skipped`: the count of the first pattern minus that of the second. */
export function executed(text: string, all: RegExp, skipped: RegExp): number | undefined {
  const count = summed(text, all);
  return count === undefined ? undefined : Math.max(0, count - (summed(text, skipped) ?? 0));
}

/** The executed cases of a JUnit report; undefined for an incomplete report. */
export function junitCount(xml: string | undefined): number | undefined {
  if (xml === undefined || !/<\/testsuites?>\s*$|<testsuites?\b[^>]*\/>\s*$/.test(xml)) return undefined;
  const cases = [...xml.matchAll(/<testcase\b/g)].length;
  return Math.max(0, cases - [...xml.matchAll(/<skipped\b/g)].length);
}

/** The executed tests of the JSON report of vitest and jest. */
export function runnerCount(report: string): number | undefined {
  const parsed = parsedJson(report);
  if (!isRecord(parsed) || !Array.isArray(parsed.testResults)) return undefined;
  const tests = parsed.testResults
    .filter(isRecord)
    .flatMap((suite) =>
      Array.isArray(suite.assertionResults) ? suite.assertionResults.filter(isRecord) : [],
    );
  return tests.filter(({ status }) => status === 'passed' || status === 'failed').length;
}

/** The executed tests in the text of a JavaScript runner: Node's own, vitest, jest or mocha. */
export function runnerTextCount(text: string): number | undefined {
  const summaries = [...text.matchAll(/^\s*Tests:?\s{2,}(.*\S.*)$/gm)].map((match) => match[1] ?? '');
  const counted = summaries.map((line) => summed(line, /\b(\d+) (?:passed|failed)\b/g) ?? 0);
  const none = /^\s*No tests? (?:files )?found, exiting with code 0/m.test(text) ? 0 : undefined;
  return total(nodeCount(text), summed(text, /^ {2,}(\d+) (?:passing|failing)\b/gm), none, ...counted);
}

/** Node reports a file without tests as one passed test named by its path. */
function nodeCount(text: string): number | undefined {
  const ended = summed(text, /^(?:#|ℹ) (?:pass|fail) (\d+)$/gm);
  if (ended === undefined) return undefined;
  const emptyFiles = [...text.matchAll(/^(?:ok \d+ -|✔) \/?\S*\.[cm]?[jt]sx?(?: \([\d.]+ms\))?$/gm)].length;
  const count = Math.max(0, ended - emptyFiles);
  // Whether a test marked "todo" was executed is not reported.
  return count === 0 && (summed(text, /^(?:#|ℹ) todo (\d+)$/gm) ?? 0) > 0 ? undefined : count;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A runner that crashed while writing leaves an incomplete report.
    return undefined;
  }
}
