/**
 * `forerun hook`: judges the edits that an agent's hook describes.
 *
 * Invariant: it answers before its deadline, and its own failures never prevent an edit: an edit that cannot be
 * judged passes, with a note on standard error.
 */
import { text } from 'node:stream/consumers';
import { abortable, Deadline } from '../../base/deadline.ts';
import { messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { neverAborts } from '../../base/never-aborts.ts';
import { Forerun } from '../../host/forerun.ts';
import type { TrustGrant } from '../../host/user-trust.ts';
import type { Scope } from '../../servers/projection.ts';
import { FormerTextStore } from '../../storage/former-text-store.ts';
import { stateDirectory } from '../../storage/user-directories.ts';
import type { ExitCode } from '../exit-code.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { noAnswer } from './dialect/answer-text.ts';
import type { HookAnswer, HookOutcome } from './hook-event.ts';
import { type HookMode, judgeEvent } from './hook-judgement.ts';
import { type ReadEvent, readEvent } from './read-event.ts';

export interface HookOptions {
  readonly mode: HookMode;
  readonly scope: Scope;
  /** Absent: that of the event. */
  readonly deadlineMs: number | undefined;
  readonly proved: 'approve' | 'leave';
  readonly trust: TrustGrant;
  readonly log: Log;
}

/** An agent waits for every edit, and once for a turn. */
const defaultDeadlineMs = { edit: 5000, stop: 30_000 } as const;

/** The part of the deadline reserved for cancelling the evaluation and answering. */
const reserveMs = 250;

const farewellMs = 500;

export async function hookCommand(
  { signal, closing }: ProcessLifetime,
  options: HookOptions,
): Promise<ExitCode> {
  const startedMs = performance.now();
  let read: ReadEvent;
  try {
    using patience = new Deadline(options.deadlineMs ?? defaultDeadlineMs.edit, signal);
    read = readEvent(await abortable(text(process.stdin), patience.signal), process.cwd());
  } catch (thrown) {
    return say(noAnswer, messageOf(thrown));
  }
  const { dialect, event } = read;
  if (event.kind === 'irrelevant') return say(dialect.answer(event, { kind: 'silent' }));
  if (event.kind === 'unknown') {
    return say(dialect.answer(event, unjudged(`${event.what} is not known`)), `${event.what} is not known`);
  }
  const deadlineMs = options.deadlineMs ?? defaultDeadlineMs[event.kind];
  using deadline = new Deadline(Math.max(deadlineMs - (performance.now() - startedMs), 1), signal);
  await using judging = new Judging(options);
  try {
    const { session } = event;
    const record =
      session === undefined
        ? undefined
        : new FormerTextStore(stateDirectory(process.env), `${dialect.agent} ${session}`);
    const { mode, scope, proved } = options;
    const timeoutMs = Math.max(deadlineMs - reserveMs, 1);
    const asked = judgeEvent(
      () => judging.forerun,
      { event, dialect },
      { mode, scope, proved, record, timeoutMs },
      deadline.signal,
    );
    const outcome = await abortable(asked, deadline.signal);
    return say(dialect.answer(event, outcome), outcome.kind === 'unjudged' ? outcome.reason : undefined);
  } catch (thrown) {
    if (!deadline.expired) return say(dialect.answer(event, unjudged(messageOf(thrown))), messageOf(thrown));
    const reason = `no verdict within ${deadlineMs} ms`;
    return say(dialect.answer(event, { kind: 'unjudged', reason, audience: 'agent' }), reason);
  } finally {
    closing();
  }
}

function unjudged(reason: string): HookOutcome {
  return { kind: 'unjudged', reason, audience: 'log' };
}

/** What judges, made when it is first needed: keeping a text needs no server. */
class Judging implements AsyncDisposable {
  readonly #options: HookOptions;
  #forerun: Forerun | undefined;

  constructor(options: HookOptions) {
    this.#options = options;
  }

  get forerun(): Forerun {
    const { log, trust } = this.#options;
    this.#forerun ??= new Forerun({ definitions: 'detect', log, env: process.env, trust });
    return this.#forerun;
  }

  /** The agent waits for this process to exit, and no server outlives it; so disposal has a time limit. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#forerun) return;
    using limit = new Deadline(farewellMs, neverAborts());
    await abortable(this.#forerun[Symbol.asyncDispose](), limit.signal).catch((thrown: unknown) =>
      this.#options.log.debug('hook.left-early', { code: 'cli/hook-left-early', error: messageOf(thrown) }),
    );
  }
}

function say({ output, code }: HookAnswer, trouble?: string): ExitCode {
  if (trouble !== undefined) process.stderr.write(`forerun hook: the edit was not judged: ${trouble}\n`);
  process.stdout.write(output);
  return code;
}
