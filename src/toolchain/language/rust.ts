/** Rust: cargo builds and tests a package; a path selects the package or the integration test. */
import { errorsMatching } from '../compiler-error.ts';
import { nearestWith, parent } from '../presence.ts';
import { summed, total } from '../test-count.ts';
import { command, type Task, type TestFailure, type Toolchain } from '../toolchain.ts';

export const rust: Toolchain = {
  languages: ['rust'],
  buildCommands: async (task) => [command(['cargo', 'build', ...(await manifestOf(task))], quiet)],
  // Every target is run even after a failure, so that one call reports all failures.
  testCommands: async (task) => {
    const { target, filter, files } = task;
    const paths = files.length > 0 ? files : target?.kind === 'file' ? [target.path] : [];
    const targets = [...new Set(paths.flatMap(cargoTarget))];
    const names = filter === undefined ? [] : [filter];
    return [
      command(['cargo', 'test', '--no-fail-fast', ...(await manifestOf(task)), ...targets, ...names], quiet),
    ];
  },
  parseBuild: ({ stderr }) => errorsMatching(stderr, rustError),
  parseTests: ({ stdout }) => libtestFailures(stdout),
  countTests: ({ stdout, stderr }) =>
    total(
      summed(stdout, /^test result: .*? (\d+) passed; (\d+) failed; \d+ ignored; (\d+) measured/gm),
      summed(`${stdout}\n${stderr}`, /^\s*Summary \[.*\] +(\d+)(?:\/\d+)? tests? run:/gm),
    ),
  tests: { subjectOf: () => undefined, beside: 'named', elsewhere: 'none', inline: true },
};

const quiet = { CARGO_TERM_COLOR: 'never', RUST_BACKTRACE: '0' };

/** The location follows an arrow within the next three lines. */
const rustError =
  /^error(?:\[\w+\])?: (?<message>.+)\n(?:(?!error|warning).*\n){0,2}?\s*--> (?<file>[^:\n]+):(?<line>\d+):(?<column>\d+)/gm;

/** The failures that libtest prints, each with the test's own output. */
export function libtestFailures(stdout: string): readonly TestFailure[] {
  const failures: TestFailure[] = [];
  const reported = new Set<string>();
  for (const [, name = '', said = ''] of stdout.matchAll(saidPattern)) {
    const place = placePattern.exec(said);
    failures.push({
      file: place?.[1] ?? '',
      line: Number(place?.[2] ?? 0),
      testName: name,
      message: messageIn(said),
    });
    reported.add(name);
  }
  for (const [, name = ''] of stdout.matchAll(/^test (\S+)(?: - .+?)? \.\.\. FAILED$/gm)) {
    if (!reported.has(name)) failures.push({ file: '', line: 0, testName: name, message: 'failed' });
  }
  return failures;
}

const saidPattern =
  /^---- (\S+) stdout ----\n([\s\S]*?)(?=^---- \S+ stdout ----$|^failures:$|^test result: )/gm;

const placePattern = /(?:panicked at|as expected at) ([^:\n]+):(\d+):\d+/;

function messageIn(said: string): string {
  const body = said.replace(/^thread '.*' (?:\(\d+\) )?panicked at .*:\n/m, '').trim();
  const end = body.search(/^(?:stack backtrace:|note: run with `RUST_BACKTRACE)/m);
  return (end < 0 ? body : body.slice(0, end)).trim();
}

/** A path means the package whose manifest is above it; the root package needs no option. */
async function manifestOf({ root, target }: Task): Promise<readonly string[]> {
  const path = target?.path ?? '';
  const directory = await nearestWith(root, target?.kind === 'file' ? parent(path) : path, 'Cargo.toml');
  return directory === '' ? [] : ['--manifest-path', `./${directory}/Cargo.toml`];
}

/** `tests/x.rs` is a separate target; other files belong to the library or a program. */
function cargoTarget(path: string): readonly string[] {
  const stem = /(?:^|\/)tests\/([^/]+?)(?:\.rs|\/main\.rs)$/.exec(path)?.[1];
  return stem === undefined ? ['--lib', '--bins'] : [`--test=${stem}`];
}
