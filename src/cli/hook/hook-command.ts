/**
 * `forerun hook`: judges an edit for an agent's pre-edit hook.
 *
 * Invariant: it answers before its deadline, and its own failures never prevent an edit: an edit that cannot be
 * judged passes, with a note on standard error.
 */

import { text } from 'node:stream/consumers';
import { abortable, Deadline } from '../../base/deadline.ts';
import { messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { neverAborts } from '../../base/never-aborts.ts';
import { checkProposal } from '../../host/check/proposal-check.ts';
import { Forerun } from '../../host/forerun.ts';
import type { TrustGrant } from '../../host/user-trust.ts';
import type { Scope } from '../../servers/projection-mode.ts';
import type { ExitCode } from '../exit-code.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { type EditEvent, readEditEvent } from './edit-event.ts';
import { type AnswerOptions, answerOf, type HookAnswer, openAnswer } from './hook-answer.ts';

export interface HookOptions {
  readonly scope: Scope;
  readonly deadlineMs: number;
  readonly proved: AnswerOptions['proved'];
  readonly trust: TrustGrant;
  readonly log: Log;
}

/** The part of the deadline reserved for cancelling the evaluation and answering. */
const reserveMs = 250;

const farewellMs = 500;

export async function hookCommand(
  { signal, closing }: ProcessLifetime,
  options: HookOptions,
): Promise<ExitCode> {
  using deadline = new Deadline(options.deadlineMs, signal);
  let event: EditEvent;
  try {
    event = readEditEvent(await abortable(text(process.stdin), deadline.signal), process.cwd());
  } catch (thrown) {
    return say({ output: '', code: 0 }, messageOf(thrown));
  }
  if (event.kind === 'none') return say(openAnswer(event.dialect, event.why));
  const { log, trust } = options;
  const forerun = new Forerun({ definitions: 'detect', log, env: process.env, trust });
  try {
    return await judge(forerun, event, options, deadline);
  } finally {
    closing();
    await leave(forerun, options.log);
  }
}

/** The client waits for this process to exit, and no server outlives it; so disposal has a time limit. */
async function leave(forerun: Forerun, log: Log): Promise<void> {
  using limit = new Deadline(farewellMs, neverAborts());
  await abortable(forerun[Symbol.asyncDispose](), limit.signal).catch((thrown: unknown) =>
    log.debug('hook.left-early', { code: 'cli/hook-left-early', error: messageOf(thrown) }),
  );
}

async function judge(
  forerun: Forerun,
  event: EditEvent & { readonly kind: 'edit' },
  { scope, deadlineMs, proved }: HookOptions,
  deadline: Deadline,
): Promise<ExitCode> {
  const { filePath, change, dialect } = event;
  const timeoutMs = Math.max(deadlineMs - reserveMs, 1);
  try {
    const asked = checkProposal(forerun, { filePath, change, scope, timeoutMs }, deadline.signal);
    return say(answerOf(await abortable(asked, deadline.signal), { dialect, proved }));
  } catch (thrown) {
    const reason = deadline.expired ? `no verdict within ${deadlineMs} ms` : messageOf(thrown);
    return say(openAnswer(dialect, reason), reason);
  }
}

function say({ output, code }: HookAnswer, trouble?: string): ExitCode {
  if (trouble !== undefined) process.stderr.write(`forerun hook: the edit was not judged: ${trouble}\n`);
  process.stdout.write(output);
  return code;
}
