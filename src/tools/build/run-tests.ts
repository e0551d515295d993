/** Runs the tests of a project with its own runner. */
import { z } from 'zod';
import { UnsupportedLanguage } from '../../toolchain/build-failure.ts';
import { runSteps, type ToolchainRun } from '../../toolchain/command-run.ts';
import { PrintedFiles } from '../../toolchain/printed-file.ts';
import { rawOutput } from '../../toolchain/raw-output.ts';
import type { TestFailure, Toolchain } from '../../toolchain/toolchain.ts';
import { toFileUri } from '../../workspace/file-uri.ts';
import { during, InvalidArgument } from '../failure.ts';
import { askedTimeout, word } from '../parameter.ts';
import { defineTool, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { requireTrust } from '../trusted-workspace.ts';
import { findProject, type Project } from './project.ts';
import { defaultTimeoutMs, runParameters } from './run-parameter.ts';

export const runTests: Tool = defineTool({
  name: 'run_tests',
  title: 'Run Tests',
  effect: 'process',
  description:
    'Runs the tests of a project with the runner of its language and lists the failures; location is zero-based as in LSP.',
  input: z.object({
    ...runParameters,
    test_filter: word("Only tests whose name matches, in the runner's own way of matching.").optional(),
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
      throw new UnsupportedLanguage(toolchain.languages[0] ?? '', 'Run the tests another way.');
    const files = await Promise.all((input.test_files ?? []).map((file) => project.fileIn(file)));
    context.connection.progress('running the tests');
    const timeoutMs = askedTimeout(input.timeout_ms) ?? defaultTimeoutMs;
    const run = await during('run_tests: executing tests', () => {
      const task = { root: workspace.root, target, filter, files };
      const steps = (reportFile: string) => testCommands({ ...task, reportFile });
      return runSteps({ root: workspace.root, env: context.workspaces.env, timeoutMs, steps }, signal);
    });
    const failures = await placed(project, failuresOf(toolchain, run), signal);
    const { stdout, stderr } = run.output;
    const text =
      toolchain.readable?.(run.output) ?? [stdout, stderr].filter((part) => part !== '').join('\n');
    const testsRun = toolchain.countTests?.(run.output);
    const payload = {
      // A run that executed nothing proves nothing, whatever its exit code.
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

/** Tests that could not even be compiled fail by what the compiler says. */
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
  'no test ran, so nothing is proved; widen or correct test_filter, test_files or path, or add a test (get_tests_for_file).';

function hintFor(run: ToolchainRun, failures: number, testsRun: number | undefined): string {
  if (run.succeeded && testsRun === undefined)
    return 'the test command succeeded; it does not tell how many tests ran, see raw.';
  if (run.succeeded) return testsRun === 0 ? noTestRan : 'all tests passed; commit.';
  if (run.timedOut)
    return 'the tests did not end in time; call again with a larger timeout_ms or narrow them.';
  if (failures === 0 && testsRun === 0) return noTestRan;
  if (failures === 0) return 'no failure could be read from the output; see raw.';
  return `fix the ${failures} failure(s), then run_tests again.`;
}
