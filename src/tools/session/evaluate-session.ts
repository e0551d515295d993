/** Evaluates a session's edits: their diagnostics, and commands run on them. */
import { z } from 'zod';
import { verdictOf } from '../../evaluation/evaluation.ts';
import type { Session } from '../../session/session.ts';
import { budgetInput } from '../answer-budget.ts';
import { defaultTimeoutMs } from '../build/run-parameter.ts';
import { partialProgress, sessionEvaluationPayload } from '../evaluation-payload.ts';
import { askedTimeout, scope, sessionId, timeoutMs, word } from '../parameter.ts';
import { type CommandAnswer, commandRecordOf, runInSandbox } from '../simulate/command-run.ts';
import { type JudgedCommand, verdictWithCommands } from '../simulate/command-verdict.ts';
import { openSessionSandbox, shownBy, tiersAllowed } from '../simulate/session-sandbox.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { jsonResult } from '../tool-result.ts';

export const evaluateSession: Tool = defineTool({
  name: 'evaluate_session',
  title: 'Evaluate Session',
  effect: 'reads',
  description:
    'Diagnostics the edits of a session introduce and resolve, compared with the unedited workspace. scope workspace also covers the files the edits can reach. commands are run on the edits too, and all must pass.',
  input: z.object({
    session_id: sessionId,
    scope,
    timeout_ms: timeoutMs,
    commands: z
      .array(word('Shell command, run in the workspace root.'))
      .describe(
        'Builds or tests to run on the edits, one after the other, without access to the disk and the network.',
      )
      .optional(),
    ...budgetInput,
  }),
  effectOf: ({ commands = [] }) => (commands.length > 0 ? 'process' : 'reads'),
  async handle(context, input, signal) {
    const session = await during('evaluate_session failed', async () =>
      context.sessions.find(input.session_id),
    );
    context.connection.progress('asking the language server');
    const asked = { scope: input.scope ?? 'file', timeoutMs: askedTimeout(input.timeout_ms) } as const;
    const evaluation = await during('evaluate_session failed', () =>
      session.evaluate({ ...asked, onPartial: partialProgress(context) }, signal),
    );
    const payload = sessionEvaluationPayload(session, evaluation);
    const { commands = [] } = input;
    const { workspace, overlay, language } = session;
    const whatIf = { kind: 'change', workspace, overlay, evaluation, language, session } as const;
    if (commands.length === 0) return jsonResult(payload, { whatIf });
    const runs = await during('evaluate_session failed', () =>
      runAll(context, { session, commands }, signal),
    );
    const judged: JudgedCommand[] = runs.map(({ payload: _, ...judgedOf }) => judgedOf);
    const { verdict, doubts } = verdictWithCommands(verdictOf(evaluation).kind, judged);
    const answered = {
      ...payload,
      verdict,
      doubts: [...evaluation.doubts, ...doubts],
      commands: runs.map((run) => run.payload),
    };
    return jsonResult(answered, { whatIf });
  },
});

const outputBytes = 8 * 1024;

/** Uses one sandbox for all commands: tests may need the outputs of the build before them. */
async function runAll(
  context: ToolContext,
  { session, commands }: { readonly session: Session; readonly commands: readonly string[] },
  signal: AbortSignal,
): Promise<readonly (CommandAnswer & { readonly command: string })[]> {
  const overlay = shownBy(session);
  // An evaluation must not change anything, which the copied tier cannot guarantee.
  const safe = tiersAllowed(context).filter((tier) => tier !== 'copied');
  const tiers = safe.length > 0 ? safe : (['readonly'] as const);
  await using sandbox = await openSessionSandbox(context, { session, overlay, tiers }, signal);
  const place = { sandbox, workspace: session.workspace, connection: context.connection };
  const answers: (CommandAnswer & { readonly command: string })[] = [];
  for (const command of commands) {
    const answer = await runInSandbox(place, { command, timeoutMs: defaultTimeoutMs, outputBytes }, signal);
    answers.push({ ...answer, command });
  }
  const records = answers.map((answer) => commandRecordOf(answer.command, answer));
  await session.recordCommands({ commands: records, ranOn: overlay }, signal);
  return answers;
}
