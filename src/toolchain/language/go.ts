/** Go: packages are built and tested by directory, regardless of a workspace file above them. */
import { readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { isMissing } from '../../base/errno.ts';
import { errorsMatching } from '../compiler-error.ts';
import { command, pathArgument, type Target, type TestFailure, type Toolchain } from '../toolchain.ts';

const env = { GOWORK: 'off' };

export const go: Toolchain = {
  languages: ['go'],
  // A single main package would leave its program in the workspace, so the output is discarded.
  buildCommands: async ({ target }) => [command(['go', 'build', '-o', devNull, packagesOf(target)], env)],
  testCommands: async ({ target, filter, files }) => {
    const run = filter === undefined ? [] : [`-run=${filter}`];
    const packages = files.length > 0 ? [...new Set(files.map(directoryOf))] : [packagesOf(target)];
    return [command(['go', 'test', '-json', ...run, ...packages], env)];
  },
  parseBuild: ({ stderr, stdout }) => errorsMatching(`${stderr}\n${stdout}`, goError),
  parseTests: (output) => goFailures(output.stdout, moduleOf(output.root)),
  countTests: ({ stdout }) => goCount(stdout),
  readable: ({ stdout, stderr }) => [goText(stdout), stderr].filter((part) => part !== '').join('\n'),
  tests: {
    subjectOf: (name) => /^(.+)_test\.go$/.exec(name)?.[1],
    beside: 'all',
    elsewhere: 'none',
  },
};

const goError = /^(?:vet: )?(?<file>[^\s:#][^:\n]*\.go):(?<line>\d+):(?:(?<column>\d+):)? (?<message>.+)$/gm;

interface GoEvent {
  readonly action: string;
  readonly package: string;
  readonly test: string | undefined;
  readonly output: string;
}

/** The failed tests of a `go test -json` stream; a package that failed before its tests is reported by its name. */
export function goFailures(stream: string, module: string): readonly TestFailure[] {
  const events = stream.split('\n').flatMap(readEvent);
  const outputs = new Map<string, string>();
  for (const event of events) {
    if (event.output !== '') outputs.set(keyOf(event), (outputs.get(keyOf(event)) ?? '') + event.output);
  }
  const failed = events.filter((event) => event.action === 'fail');
  const isOwnFailure = (event: GoEvent): boolean => {
    const own = placeIn(outputs.get(keyOf(event)) ?? '');
    if (event.test === undefined) {
      // A package fails with its tests; only without a failed test is the package itself reported.
      return !failed.some((other) => other.package === event.package && other.test !== undefined);
    }
    const isParent = failed.some((other) => other.test?.startsWith(`${event.test}/`));
    return !isParent || own !== undefined;
  };
  return failed.filter(isOwnFailure).flatMap((event) => {
    const output = outputs.get(keyOf(event)) ?? '';
    // Compiler errors are reported as build errors.
    if (event.test === undefined && output.includes('[build failed]')) return buildFailures(events, event);
    const place = placeIn(output);
    return {
      file: place?.file ?? '',
      line: place?.line ?? 0,
      testName: event.test ?? event.package,
      message: messageIn(output),
      directory: directoryOfPackage(event.package, module),
    };
  });
}

/** Tests of a JSON stream or of `-v` are counted; the plain text only names packages without tests. */
export function goCount(stdout: string): number | undefined {
  const events = stdout.split('\n').flatMap(readEvent);
  if (events.length > 0) {
    const isEnd = ({ action, test }: GoEvent) =>
      test !== undefined && (action === 'pass' || action === 'fail');
    return events.filter(isEnd).length;
  }
  const ended = [...stdout.matchAll(/^\s*--- (?:PASS|FAIL): /gm)].length;
  if (ended > 0) return ended;
  const packages = stdout.split('\n').filter((line) => /^(?:ok|FAIL|\?) *\t|^\t\S+\t/.test(line));
  const isEmpty = (line: string) => /\[no test(?:s to run| files)\]|^\t\S+\t+coverage: 0\.0%/.test(line);
  return packages.length > 0 && packages.every(isEmpty) ? 0 : undefined;
}

/** The output of the tests, without the JSON around it. */
function goText(stream: string): string {
  return stream
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? readEvent(line).map((event) => event.output) : [`${line}\n`]))
    .join('')
    .trim();
}

function buildFailures(events: readonly GoEvent[], { package: name }: GoEvent): readonly TestFailure[] {
  const said = events
    .filter((event) => event.action === 'build-output' && event.package.split(' ')[0] === name)
    .map((event) => event.output)
    .join('');
  return errorsMatching(said, goError).map(({ file, line, message }) => ({
    file,
    line,
    testName: name,
    message,
  }));
}

function readEvent(line: string): readonly GoEvent[] {
  if (!line.startsWith('{')) return [];
  try {
    const event: Record<string, unknown> = JSON.parse(line);
    const { Action: action, Test: test, Output: output } = event;
    const name = event.Package ?? event.ImportPath;
    if (typeof action !== 'string') return [];
    return [
      {
        action,
        package: typeof name === 'string' ? name : '',
        test: typeof test === 'string' ? test : undefined,
        output: typeof output === 'string' ? output : '',
      },
    ];
  } catch {
    // Programs under test print arbitrary text into the same stream.
    return [];
  }
}

function keyOf(event: GoEvent): string {
  return `${event.package}\0${event.test ?? ''}`;
}

/** The first location in the test's own output; in a stack trace, the first test file instead of the runtime. */
function placeIn(output: string): { readonly file: string; readonly line: number } | undefined {
  const reported = /^\s{4,}([\w.-]+\.go):(\d+):/m.exec(output);
  const traced = /^\s*(\/?[^\s:]*_test\.go):(\d+)/m.exec(output);
  const match = reported ?? traced ?? /([^\s:]+\.go):(\d+)/.exec(output);
  return match ? { file: match[1] ?? '', line: Number(match[2]) } : undefined;
}

function messageIn(output: string): string {
  const lines = output.split('\n').filter((line) => !/^\s*(?:===|---) |^FAIL\b|^exit status/.test(line));
  const text = lines.join('\n').trim();
  return (text.includes('\ngoroutine ') ? text.slice(0, text.indexOf('\ngoroutine ')) : text).trim();
}

function packagesOf(target: Target | undefined): string {
  if (target === undefined || (target.path === '' && target.kind === 'directory')) return './...';
  return target.kind === 'file' ? directoryOf(target.path) : `./${target.path}/...`;
}

function directoryOf(file: string): string {
  return pathArgument(file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '');
}

function directoryOfPackage(name: string, module: string): string {
  return name.startsWith(`${module}/`) ? name.slice(module.length + 1) : '';
}

function moduleOf(root: string): string {
  try {
    return /^module\s+"?([^\s"]+)/m.exec(readFileSync(join(root, 'go.mod'), 'utf8'))?.[1] ?? '';
  } catch (thrown) {
    // Without a module file, packages have only their names.
    if (isMissing(thrown)) return '';
    throw thrown;
  }
}
