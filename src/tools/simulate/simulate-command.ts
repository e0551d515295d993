/** Runs a command on the overlay of a session. */

import { z } from 'zod';
import { Failure } from '../../base/failure.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import { type FinishedCommand, hasPassed } from '../../sandbox/command-outcome.ts';
import type { HarvestOutcome } from '../../sandbox/harvest.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { HarvestTooLarge } from '../../sandbox/sandbox-failure.ts';
import type { Session } from '../../session/session.ts';
import { budgetInput, defaultMaxTokens } from '../answer-budget.ts';
import { defaultTimeoutMs } from '../build/run-parameter.ts';
import { askedTimeout, flag, sessionId, whole, word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { commandRecordOf, runInSandbox } from './command-run.ts';
import { harvestPayload } from './harvest-payload.ts';
import { openSessionSandbox, shownBy } from './session-sandbox.ts';

const step = 'simulate_command failed';

export const simulateCommand: Tool = defineTool({
  name: 'simulate_command',
  title: 'Simulate Command',
  effect: 'process',
  description:
    'Run a build, tests or a formatter on a session: the command sees its edits, the disk stays unchanged, there is no network. Returns exit code, output and the files it would change; keep_changes adds these changes to the session.',
  input: z.object({
    session_id: sessionId,
    command: word('Shell command, run in the workspace root.'),
    keep_changes: flag(
      'Add the changed files to the session. Default false: they are only reported.',
    ).optional(),
    timeout_ms: whole('Timeout in milliseconds; 0 or absent: 600000.').optional(),
    ...budgetInput,
  }),
  async handle(context, input, signal) {
    const session = await during(step, async () => context.sessions.find(input.session_id));
    return during(step, async () => {
      const overlay = shownBy(session);
      await using sandbox = await openSessionSandbox(context, { session, overlay }, signal);
      const bytes = (input.max_tokens ?? defaultMaxTokens) * 4;
      const run = await runInSandbox(
        { sandbox, workspace: session.workspace, connection: context.connection },
        {
          command: input.command,
          timeoutMs: askedTimeout(input.timeout_ms) ?? defaultTimeoutMs,
          outputBytes: bytes / 2,
        },
        signal,
      );
      const { outcome, testsRun, payload } = run;
      const commands = [commandRecordOf(input.command, run)];
      const answer = { session_id: session.id, ...payload };
      if (outcome.kind === 'boundary') {
        await session.recordCommands({ commands, ranOn: overlay }, signal);
        return jsonResult(answer, { hint: boundaryHint });
      }
      const harvest = await harvestOf(sandbox, signal);
      const kept =
        input.keep_changes === true && !outcome.timedOut
          ? await keep(session, { overlay, harvest }, signal)
          : 'not kept';
      // What a command wrote and its result belong together.
      const ranOn = kept === 'kept' && harvest.kind === 'harvested' ? harvest.overlay : overlay;
      await session.recordCommands({ commands, ranOn }, signal);
      const changed = await changesPayload(harvest, bytes / 2);
      return jsonResult(
        { ...answer, ...changed, changes_kept: kept === 'kept' },
        {
          hint: hintFor({ outcome, testsRun }, kept),
          // Keeps the end of the output and the beginning of the diff; the answer says what was omitted of each.
          ...(payload.output_truncated === true && { meta: { truncated: { max_tokens: bytes / 4 } } }),
        },
      );
    });
  },
});

/** A harvest that is too large must not lose the output of the command. */
type SessionHarvest = HarvestOutcome | { readonly kind: 'too large'; readonly why: string };

async function harvestOf(sandbox: Sandbox, signal: AbortSignal): Promise<SessionHarvest> {
  try {
    return await sandbox.harvest(signal);
  } catch (thrown) {
    if (!(thrown instanceof HarvestTooLarge)) throw thrown;
    return { kind: 'too large', why: thrown.message };
  }
}

async function keep(
  session: Session,
  { overlay, harvest }: { readonly overlay: Overlay; readonly harvest: SessionHarvest },
  signal: AbortSignal,
): Promise<'kept' | 'not kept'> {
  if (harvest.kind !== 'harvested') return 'not kept';
  // Nothing changed: the session keeps its evaluation.
  if (harvest.overlay === overlay) return 'kept';
  await session.transform(async (current) => {
    if (current !== overlay) throw new SessionMoved(session.id);
    return harvest.overlay;
  }, signal);
  return 'kept';
}

async function changesPayload(
  harvest: SessionHarvest,
  diffBytes: number,
): Promise<Readonly<Record<string, unknown>>> {
  switch (harvest.kind) {
    case 'harvested':
      return harvestPayload(harvest, diffBytes);
    case 'conflict':
      return { changes_conflict: harvest.paths };
    case 'too large':
      return { changes_too_large: harvest.why };
  }
}

const boundaryHint =
  'the command was not run, because it cannot be isolated from the disk here; tier_because says what is missing.';

function hintFor(
  { outcome, testsRun }: { readonly outcome: FinishedCommand; readonly testsRun: number | undefined },
  kept: 'kept' | 'not kept',
): string {
  if (outcome.timedOut)
    return 'the command timed out; call again with a larger timeout_ms, or restrict the command.';
  if (outcome.diskFull) return 'the command used up its disk space; make it write less inside the workspace.';
  if (!hasPassed(outcome)) return 'fix the reported errors with simulate_edit, then run the command again.';
  if (testsRun === 0) return 'no test ran, so nothing is proved; select tests that exist, then run it again.';
  return kept === 'kept'
    ? 'evaluate_session evaluates the current edits; commit_session writes them.'
    : 'commit_session writes the edits; keep_changes adds the changes of the command.';
}

/** The session was edited while the command ran on the earlier state. */
class SessionMoved extends Failure {
  readonly code = 'tools/session-moved';
  readonly remedy = 'The changes of the command were discarded. Run it again on the current session.';

  constructor(id: string) {
    super(`session ${id} was changed while the command ran`);
  }
}
