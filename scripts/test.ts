/**
 * The whole test command: installs the language servers and the language model the tests can use, runs the suite, and says
 * by name which languages were judged by a real server and which were not, and whether a real model was asked.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { languageCases } from '../test/support/language-case.ts';
import { isOnPath } from '../test/support/on-path.ts';
import { provisionedPrograms } from '../test/support/provisioned.ts';
import { isRealModelHere, realModelTitle } from '../test/support/real-model.ts';

process.env.PATH = [provisionedPrograms, process.env.PATH].join(delimiter);

if (process.env.FORERUN_PROVISION === 'off') console.log('provision: skipped (FORERUN_PROVISION=off)');
else spawnSync('bash', ['scripts/provision'], { stdio: 'inherit' });

const scratch = mkdtempSync(join(tmpdir(), 'forerun-report-'));
const report = join(scratch, 'report.json');
const run = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);

const { numPassedTests, numFailedTests, numPendingTests } = readReport(report);
rmSync(scratch, { recursive: true });
const isHere = ({ binary }: { binary?: string | undefined }) => binary === undefined || isOnPath(binary);
console.log(`languages judged by a real server: ${names(languageCases.filter(isHere))}`);
const skipped = languageCases.filter((language) => !isHere(language));
console.log(`languages skipped: ${skipped.length === 0 ? 'none' : names(skipped)}`);
console.log(
  `real model: ${isRealModelHere() ? realModelTitle : `skipped (${realModelTitle} is not installed)`}`,
);
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
process.exitCode = run.status ?? 1;

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
}

/** A run that died before it could report has passed nothing. */
function readReport(path: string): Report {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0 };
  }
}

function names(cases: readonly { language: string; binary?: string }[]): string {
  return cases
    .map(({ language, binary }) => (isHere({ binary }) ? language : `${language} (no ${binary})`))
    .join(', ');
}
