/** Runs the tests of a project with its own test runner. */
import { z } from 'zod';
import { UnsupportedLanguage } from '../../toolchain/build-failure.ts';
import { runSteps, type ToolchainRun } from '../../toolchain/command-run.ts';
import { PrintedFiles } from '../../toolchain/printed-file.ts';
import { rawOutput } from '../../toolchain/raw-output.ts';
import type { TestFailure, Toolchain } from '../../toolchain/toolchain.ts';
import { toFileUri } from '../../workspace/workspace.ts';
import { InvalidArgument } from '../failure.ts';
import { askedTimeout, word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { requireTrust } from '../trusted-workspace.ts';
import { findProject, type Project } from './project.ts';
import { defaultTimeoutMs, runParameters } from './run-parameter.ts';

export const runTests: Tool = defineTool({
  name: 'run_tests',
  title: 'Run Tests',
  effect: 'process',
  description:
    'Run the tests of a project with the test runner of its language and list the failures. location is zero-based as in LSP.',
  input: z.object({
    ...runParameters,
    test_filter: word("Only tests whose name matches, in the test runner's own syntax.").optional(),
    test_files: z.array(word('A test file.')).describe('Only the tests in these files.').optional(),
  }),
  async handle(context, input, signal) {
    const filter = input.test_filter;
    if (filter?.startsWith('-')) throw new InvalidArgument('test_filter must not begin with "-"');
    const project = await findProject(context, input, signal);
    const { workspace, toolchain, target } = project;
    requireTrust(context, 'run_tests', workspace.root);
    const { testCommands } = toolchain;
    if (!testCommands)
      throw new UnsupportedLanguage(toolchain.languages[0] ?? '', 'Remove the leading "-" from test_filter.');
    const files = await Promise.all((input.test_files ?? []).map((file) => project.fileIn(file)));
    context.connection.progress('running the tests');
    const timeoutMs = askedTimeout(input.timeout_ms) ?? defaultTimeoutMs;
    const run = await during('run_tests: executing tests', () => {
      const task = { root: workspace.root, target, filter, files };
      const steps = (reportFile: string) => testCommands({ ...task, reportFile });
      return runSteps({ root: workspace.root, env: context.workspaces.user.env, timeoutMs, steps }, signal);
    });
    const failures = await placed(project, failuresOf(toolchain, run), signal);
    const { stdout, stderr } = run.output;
    const text =
      toolchain.readable?.(run.output) ?? [stdout, stderr].filter((part) => part !== '').join('\n');
    const testsRun = toolchain.countTests?.(run.output);
    const payload = {
      // A run without tests proves nothing, whatever its exit code.
      passed: run.succeeded && testsRun !== 0,
      ...(testsRun !== undefined && { tests_run: testsRun }),
      failures,
      ...rawOutput(text),
      command: run.command,
      ...(run.timedOut && { timed_out: true, timeout_ms: timeoutMs }),
    };
    return jsonResult(payload, { hint: hintFor(run, failures.length, testsRun) });
  },
});

/** If the tests do not compile, the compiler errors are the failures. */
function failuresOf(toolchain: Toolchain, run: ToolchainRun): readonly TestFailure[] {
  if (run.succeeded) return [];
  const failures = toolchain.parseTests?.(run.output) ?? [];
  if (failures.length > 0) return failures;
  return toolchain.parseBuild(run.output).map(({ file, line, message }) => ({
    file,
    line,
    testName: 'build',
    message,
  }));
}

async function placed(
  { workspace, target }: Project,
  failures: readonly TestFailure[],
  signal: AbortSignal,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const files = new PrintedFiles(workspace);
  return Promise.all(
    failures.map(async ({ file, line, testName, message, directory }) => {
      const found = await files.find(file, directory ?? target?.path ?? '', signal);
      const start = { line: line - 1, character: 0 };
      return {
        file: found ?? file,
        line,
        test_name: testName,
        message,
        ...(found !== undefined &&
          line > 0 && { location: { uri: toFileUri(found), range: { start, end: start } } }),
      };
    }),
  );
}

const noTestRan =
  'no test ran, so nothing is proved; correct test_filter, test_files or path, or add a test (get_tests_for_file).';

function hintFor(run: ToolchainRun, failures: number, testsRun: number | undefined): string {
  if (run.succeeded && testsRun === undefined)
    return 'the test command succeeded; the number of tests is unknown, see raw.';
  if (run.succeeded) return testsRun === 0 ? noTestRan : 'all tests passed; commit.';
  if (run.timedOut) return 'the tests timed out; call again with a larger timeout_ms, or restrict the run.';
  if (failures === 0 && testsRun === 0) return noTestRan;
  if (failures === 0) return 'the failures could not be parsed from the output; see raw.';
  return `fix the ${failures} failure(s), then call run_tests again.`;
}
