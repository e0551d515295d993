/**
 * Parses the output of well-known commands with the parsers of run_build and run_tests.
 *
 * Invariant: an unknown command has no parsed results, only exit code and output.
 */
import { posix } from 'node:path';
import { beginsWith, type NamedCommand, namedCommands } from '../../shell/named-commands.ts';
import { PrintedFiles } from '../../toolchain/printed-file.ts';
import type { BuildError, Output, TestFailure } from '../../toolchain/toolchain.ts';
import { toolchainFor } from '../../toolchain/toolchains.ts';
import type { Workspace } from '../../workspace/workspace.ts';

export interface CommandResults {
  readonly failures?: readonly Readonly<Record<string, unknown>>[];
  readonly errors?: readonly Readonly<Record<string, unknown>>[];
}

/** The failed tests or errors in the output; nothing for an unknown command. */
export async function readResults(
  workspace: Workspace,
  { command, output }: { readonly command: string; readonly output: Output },
  signal: AbortSignal,
): Promise<CommandResults> {
  const known = recognise(command);
  if (known === undefined) return {};
  const toolchain = await toolchainFor(known.language, workspace.root);
  const files = new PrintedFiles(workspace);
  const find = async (file: string, directory = ''): Promise<string> =>
    (await files.find(file, directory, signal)) ?? file;
  const failures = known.kind === 'tests' ? (toolchain.parseTests?.(output) ?? []) : [];
  if (failures.length > 0)
    return { failures: await Promise.all(failures.map((each) => testPayload(each, find))) };
  // If the tests do not compile, the compiler errors are the failures.
  const errors = toolchain.parseBuild(output);
  return errors.length > 0
    ? { errors: await Promise.all(errors.map((each) => errorPayload(each, find))) }
    : {};
}

/**
 * The number of tests a well-known test command ran; undefined for any other command, and if the output does not show
 * it.
 */
export async function testsRunBy(
  workspace: Workspace,
  { command, output }: { readonly command: string; readonly output: Output },
): Promise<number | undefined> {
  const known = recognise(command);
  if (known?.kind !== 'tests') return undefined;
  const toolchain = await toolchainFor(known.language, workspace.root);
  return toolchain.countTests?.(output);
}

interface Recognised {
  readonly language: string;
  readonly kind: 'tests' | 'build';
}

/** The first well-known program in a shell text. A manifest script may run any tool of its language. */
export function recognise(text: string): Recognised | undefined {
  const commands = namedCommands(text).flatMap(spellings);
  return known.find(({ pattern }) => commands.some((command) => beginsWith(command, pattern)))?.means;
}

/** A command as written, and the command a package runner would run; programs by name without their path. */
function spellings(command: NamedCommand): readonly NamedCommand[] {
  const runner = ['npx', 'yarn', 'pnpm exec', 'bundle exec'].find((each) => beginsWith(command, each));
  const inner = runner === undefined ? [] : [command.slice(runner.split(' ').length)];
  return [command, ...inner].map(([program = '', ...words]) => [posix.basename(program), ...words]);
}

function program(pattern: string, language: string, kind: Recognised['kind']) {
  return { pattern, means: { language, kind } };
}

const known: readonly { readonly pattern: string; readonly means: Recognised }[] = [
  program('go test', 'go', 'tests'),
  program('go build|vet|install', 'go', 'build'),
  program('cargo test|nextest', 'rust', 'tests'),
  program('cargo build|check|clippy', 'rust', 'build'),
  program('pytest', 'python', 'tests'),
  program('python|python3 -m pytest|unittest', 'python', 'tests'),
  program('mypy|pyright', 'python', 'build'),
  program('tsc', 'typescript', 'build'),
  program('eslint', 'javascript', 'build'),
  program('node --test', 'typescript', 'tests'),
  program('npm|pnpm|yarn|bun run? t|test', 'typescript', 'tests'),
  program('npm|pnpm|yarn|bun run build*|check*|lint*|typecheck*', 'typescript', 'build'),
  program('vitest|jest|mocha', 'typescript', 'tests'),
  program('mvn|mvnw', 'java', 'tests'),
  program('gradle|gradlew', 'java', 'tests'),
  program('dotnet test', 'csharp', 'tests'),
  program('dotnet build', 'csharp', 'build'),
  program('ctest', 'cpp', 'tests'),
  program('make|cmake|ninja', 'cpp', 'build'),
  program('rspec', 'ruby', 'tests'),
  program('rake test', 'ruby', 'tests'),
  program('phpunit', 'php', 'tests'),
  program('mix test', 'elixir', 'tests'),
  program('swift test', 'swift', 'tests'),
];

type Find = (file: string, directory?: string) => Promise<string>;

async function testPayload(failure: TestFailure, find: Find): Promise<Readonly<Record<string, unknown>>> {
  const { file, line, testName, message, directory } = failure;
  return { file: await find(file, directory), line, test_name: testName, message };
}

async function errorPayload(error: BuildError, find: Find): Promise<Readonly<Record<string, unknown>>> {
  return { ...error, file: await find(error.file) };
}
