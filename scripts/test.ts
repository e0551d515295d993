/**
 * The whole test command: installs the language servers and the language model the tests can use, runs the suite, and says
 * by name which languages were judged by a real server and which were not, and whether a real model was asked.
 *
 * With `--soak` it runs the random tests alone, or the files that are named, at full length. With
 * FORERUN_UPDATE_DURATIONS=1 it writes how long each file took, by which later runs are ordered.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../test/browser/support/chromium-program.ts';
import { durationsFile } from '../test/support/durations.ts';
import { languageCases } from '../test/support/language-case.ts';
import { isOnPath } from '../test/support/on-path.ts';
import { provisionedPrograms } from '../test/support/provisioned.ts';
import { isRealModelHere, realModelTitle } from '../test/support/real-model.ts';
import { scratchVariable } from '../test/support/scratch-directory.ts';
import { soakVariable } from '../test/support/soak.ts';

/** The compiler in machine code: npm puts the one in JavaScript into the search path, which takes ten times as long. */
const compilerPrograms = fileURLToPath(new URL('../node_modules/typescript-server/bin', import.meta.url));

process.env.PATH = [provisionedPrograms, compilerPrograms, ...pythonPrograms(), process.env.PATH].join(
  delimiter,
);

/** Read by every Node process of the run, whoever starts it. The first one sets flags that a cache depends on. */
const preloaded = ['late-optimizer', 'code-cache'].map((name) =>
  fileURLToPath(new URL(`../test/support/${name}.cjs`, import.meta.url)),
);

process.env.NODE_OPTIONS = [
  process.env.NODE_OPTIONS ?? '',
  ...preloaded.map((file) => `--require=${JSON.stringify(file)}`),
]
  .join(' ')
  .trim();

/** Half of it is the most that the files may take. */
const leastMemoryBytes = 8 * 2 ** 30;

if (process.env.FORERUN_PROVISION === 'off') console.log('provision: skipped (FORERUN_PROVISION=off)');
else spawnSync('bash', ['scripts/provision'], { stdio: 'inherit' });

const words = process.argv.slice(2);
const isSoak = words[0] === '--soak';
if (isSoak) {
  process.env[soakVariable] = 'on';
  const isNamed = words.some((word) => word.startsWith('test/'));
  words.splice(0, 1, ...(isNamed ? [] : ['test/soak']));
}

const scratch = mkdtempSync(join(tmpdir(), 'forerun-report-'));
const report = join(scratch, 'report.json');
const files = mkdtempSync(join(tmpdir(), 'ft-'));
const [command = '', ...args] = withFilesInMemory(files, [
  process.execPath,
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...words,
]);
const run = spawnSync(command, args, { stdio: 'inherit' });
rmSync(files, { recursive: true, force: true });

const { numPassedTests, numFailedTests, numPendingTests, testResults } = readReport(report);
rmSync(scratch, { recursive: true });
if (process.env.FORERUN_UPDATE_DURATIONS === '1') writeDurations(testResults);
const isHere = ({ binary }: { binary?: string | undefined }) => binary === undefined || isOnPath(binary);
console.log(`languages judged by a real server: ${names(languageCases.filter(isHere))}`);
const skipped = languageCases.filter((language) => !isHere(language));
console.log(`languages skipped: ${skipped.length === 0 ? 'none' : names(skipped)}`);
console.log(
  `real model: ${isRealModelHere() ? realModelTitle : `skipped (${realModelTitle} is not installed)`}`,
);
// Looked for here, not at import: provisioning may just have installed it.
const chromium = findChromium();
console.log(
  `browser: ${chromium === undefined ? 'skipped (chromium is not installed)' : basename(chromium)}`,
);
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
process.exitCode = run.status ?? 1;

/** Where pyenv's launchers lead: they take a tenth of a processor second each, and every start of pyright calls two. */
function pythonPrograms(): readonly string[] {
  if (!isOnPath('pyenv')) return [];
  const { stdout, status } = spawnSync('pyenv', ['which', 'python3'], { encoding: 'utf8' });
  return status === 0 ? [dirname(stdout.trim())] : [];
}

/**
 * A command whose temporary files lie in memory, where we may mount and there is memory for them: tests create and remove
 * hundreds of thousands of files, and some file systems (ext4 without a journal) look at each file that was removed in the
 * last minutes to create another. The mount is seen by the command alone, and goes with it.
 */
function withFilesInMemory(directory: string, words: readonly string[]): readonly string[] {
  const isPossible =
    process.env.TMPDIR === undefined &&
    totalmem() >= leastMemoryBytes &&
    spawnSync('unshare', ['--mount', 'true']).status === 0;
  if (!isPossible) return words;
  process.env[scratchVariable] = directory;
  const mount = 'mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$1"; shift; exec "$@"';
  return ['unshare', '--mount', 'sh', '-c', mount, 'sh', directory, ...words];
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  /** One for each file, with the times of its beginning and its end. */
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

/** A run that died before it could report has passed nothing. */
function readReport(path: string): Report {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, testResults: [] };
  }
}

function names(cases: readonly { language: string; binary?: string }[]): string {
  return cases
    .map(({ language, binary }) => (isHere({ binary }) ? language : `${language} (no ${binary})`))
    .join(', ');
}

/** Those of files that start processes, the longest first. */
function writeDurations(results: Report['testResults']): void {
  const seconds = results
    .filter(({ name }) => /\/test\/(?:servers|process|soak|browser)\//.test(name))
    .map(
      ({ name, startTime, endTime }) =>
        [basename(name, '.test.ts'), Math.round((endTime - startTime) / 1000)] as const,
    )
    .sort(([a, first], [b, second]) => second - first || a.localeCompare(b));
  writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(seconds), undefined, 2)}\n`);
}
