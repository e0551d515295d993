/** Builds or type-checks a project with its own toolchain. */
import { z } from 'zod';
import { UnsupportedLanguage } from '../../toolchain/build-failure.ts';
import { runSteps } from '../../toolchain/command-run.ts';
import { PrintedFiles } from '../../toolchain/printed-file.ts';
import { rawOutput } from '../../toolchain/raw-output.ts';
import { askedTimeout } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { requireTrust } from '../trusted-workspace.ts';
import { findProject } from './project.ts';
import { defaultTimeoutMs, runParameters } from './run-parameter.ts';

export const runBuild: Tool = defineTool({
  name: 'run_build',
  title: 'Run Build',
  effect: 'process',
  description:
    'Build or type-check a project with the toolchain of its language and list the errors. Lines and columns start at 1.',
  input: z.object(runParameters),
  async handle(context, input, signal) {
    const { workspace, toolchain, target } = await findProject(context, input, signal);
    requireTrust(context, 'run_build', workspace.root);
    const { buildCommands } = toolchain;
    if (!buildCommands) {
      const [language = ''] = toolchain.languages;
      throw new UnsupportedLanguage(language, `${language} has no build; use run_tests or get_diagnostics.`);
    }
    context.connection.progress('building');
    const timeoutMs = askedTimeout(input.timeout_ms) ?? defaultTimeoutMs;
    const steps = () => buildCommands({ root: workspace.root, target });
    const run = await during('run_build: executing build', () =>
      runSteps({ root: workspace.root, env: context.workspaces.user.env, timeoutMs, steps }, signal),
    );
    const files = new PrintedFiles(workspace);
    const errors = await Promise.all(
      toolchain.parseBuild(run.output).map(async (error) => ({
        ...error,
        file: (await files.find(error.file, target?.path ?? '', signal)) ?? error.file,
      })),
    );
    const text = [run.output.stdout, run.output.stderr].filter((part) => part !== '').join('\n');
    const payload = {
      success: run.succeeded,
      errors,
      ...rawOutput(text),
      command: run.command,
      ...(run.timedOut && { timed_out: true, timeout_ms: timeoutMs }),
    };
    return jsonResult(payload, { hint: hintFor(run, errors.length) });
  },
});

function hintFor(run: { readonly succeeded: boolean; readonly timedOut: boolean }, errors: number): string {
  if (run.succeeded) return 'run_tests.';
  if (run.timedOut)
    return 'the build timed out; call again with a larger timeout_ms, or restrict it with path.';
  if (errors === 0) return 'the errors could not be parsed from the output; see raw.';
  return `fix the ${errors} error(s), then call run_build again.`;
}
