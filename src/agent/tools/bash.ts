/** Runs a shell command. */
import { z } from 'zod';
import { type FinishedCommand, outputOf } from '../../sandbox/command-outcome.ts';
import { isBoundary } from '../../shell/boundary.ts';
import { parseShellList } from '../../shell/syntax/shell-parser.ts';
import { flag, whole, word } from '../../tools/parameter.ts';
import { defineTool } from '../../tools/tool.ts';
import { textResult } from '../../tools/tool-result.ts';
import type { AgentTool } from '../agent-context.ts';
import { BadCall } from '../failure.ts';

const defaultTimeoutMs = 120_000;
const longestTimeoutMs = 600_000;
const maxOutputBytes = 256 * 1024;
const longestAnswer = 30_000;

export const bashTool: AgentTool = defineTool({
  name: 'Bash',
  title: 'Run Command',
  description:
    'Run a shell command in the workspace root and wait for it to end. Every call starts in the root again. Use the other tools to read, search and edit files. Commands cannot run in the background.',
  effect: 'process',
  input: z.object({
    command: word('The command.'),
    description: word('What it does, in a few words.').optional(),
    timeout: whole('Timeout in milliseconds; default 120000, at most 600000.').optional(),
    run_in_background: flag('Not supported.').optional(),
  }),
  async subject(_context, { command }) {
    return { kind: 'command', command };
  },
  async handle({ callId, roots: [root], commands }, { command, timeout, run_in_background }, signal) {
    if (run_in_background === true || isBackgrounded(command)) {
      throw new BadCall('commands cannot run in the background', 'Run a command that ends by itself.');
    }
    const timeoutMs = Math.min(longestTimeoutMs, timeout && timeout > 0 ? timeout : defaultTimeoutMs);
    const outcome = await commands.run({ callId, root, command, timeoutMs, maxOutputBytes }, signal);
    if (outcome.kind === 'boundary') return { ...textResult(outcome.why), isError: true };
    const { overlay } = outcome;
    const change = overlay && { workspace: root.workspace, overlay, shown: [] };
    return {
      ...textResult(reportOf(outcome, timeoutMs), { ...(change && { change }) }),
      isError: outcome.code !== 0,
    };
  },
});

function isBackgrounded(command: string): boolean {
  const list = parseShellList(command);
  return (isBoundary(list) && list.rule === 'background') || /(^|[^&>|\\])&\s*$/.test(command);
}

/** The report for the model: output and exit status. */
function reportOf(run: FinishedCommand, timeoutMs: number): string {
  const { code, timedOut, truncated } = run;
  const notes = [
    truncated ? '(output beyond the limit was dropped)' : '',
    timedOut ? `The command was terminated after ${timeoutMs} ms.` : '',
    !timedOut && code === undefined ? 'The command was terminated by a signal.' : '',
    code !== undefined && code !== 0 ? `Exit code ${code}.` : '',
  ].filter((note) => note !== '');
  const text = [middleCut(outputOf(run).trimEnd()), ...notes].filter((part) => part !== '').join('\n');
  return text === '' ? 'The command printed nothing.' : text;
}

/** Keeps the beginning and the end of the output, which are the most informative parts. */
function middleCut(output: string): string {
  if (output.length <= longestAnswer) return output;
  const half = longestAnswer / 2;
  const left = output.length - longestAnswer;
  return `${output.slice(0, half)}\n… (${left} characters left out) …\n${output.slice(-half)}`;
}
