/** `forerun whatif`: what would this change break? */
import { readFile, stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Failure, messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { checkAlternatives, type NamedPatch } from '../../host/check/alternatives.ts';
import { checkMerge, type MergeRequest } from '../../host/check/merge-check.ts';
import { watchMerge } from '../../host/check/merge-watch.ts';
import {
  type ChangeCheckOptions,
  checkPatch,
  checkPending,
  type PatchCheck,
  type PendingRequest,
} from '../../host/check/patch-check.ts';
import { checkRevision } from '../../host/check/revision-check.ts';
import { Forerun } from '../../host/forerun.ts';
import type { TrustGrant } from '../../host/user-trust.ts';
import { workspaceDirectory } from '../../host/workspace-directory.ts';
import type { Scope } from '../../servers/projection.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { type ColorChoice, paletteFor } from '../print/palette.ts';
import { StatusLine } from '../print/status-line.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { askedQueue } from '../worker/asked-queue.ts';
import type { WhatifOutcome } from './format/report.ts';
import { reportOf } from './format/report-of.ts';
import { exitCodeOf, exitCodeOfRanking } from './patch-exit-code.ts';
import { type ReportOutput, writeReport } from './report-output.ts';

/** What is judged. */
export type WhatifSubject =
  | { readonly kind: 'pending'; readonly pending: PendingRequest['kind'] }
  | {
      readonly kind: 'changes';
      /** Patch files, one of them may be `-` for standard input; or one revision or worktree. */
      readonly changes: readonly string[];
      /** The patch whose verdict the exit code reports; if set, even a single patch is reported as one of several. */
      readonly exitBy: 'best' | undefined;
    }
  | {
      readonly kind: 'merge';
      readonly sides: readonly string[];
      readonly onto: string | undefined;
      readonly watch: boolean;
    };

export interface WhatifOptions {
  readonly subject: WhatifSubject;
  readonly root?: string | undefined;
  readonly scope: Scope;
  readonly timeoutMs: number;
  readonly outputs: readonly ReportOutput[];
  readonly trust: TrustGrant;
  readonly color: ColorChoice;
  /** The address of a queue, or that of the settings; absent: judged on this machine. */
  readonly queue?: string | true | undefined;
  readonly log: Log;
}

/** What was found out, and how to exit. */
interface Answer {
  readonly outcome: WhatifOutcome;
  readonly code: ExitCode;
}

/** Where the words of the user count from. */
interface Whereabouts extends ChangeCheckOptions {
  readonly directory?: string;
  readonly env: NodeJS.ProcessEnv;
}

export async function whatifCommand({ signal }: ProcessLifetime, options: WhatifOptions): Promise<ExitCode> {
  const { log, trust, scope, timeoutMs, subject } = options;
  // Standard input and files are read before a server is started for nothing.
  const read = subject.kind === 'changes' ? await readChanges(subject) : undefined;
  const priority = subject.kind === 'pending' || read?.kind !== 'several' ? 'person' : 'batch';
  await using evaluator = await askedQueue(options.queue, { priority, env: process.env, log });
  await using forerun = new Forerun({ definitions: 'detect', log, env: process.env, trust, evaluator });
  const directory = process.cwd();
  const root = options.root ?? (await workspaceDirectory(directory, process.env, signal));
  using status = new StatusLine(process.stderr);
  const onProgress = (message: string) => status.show(message);
  onProgress('reading the change');
  const request = { root, scope, timeoutMs, onProgress, env: process.env };
  const place = { ...request, ...(options.root === undefined && { directory }) };
  if (subject.kind === 'merge' && subject.watch) {
    return await reportMerges(
      forerun,
      { options, status, merge: { ...place, directory, ...subject } },
      signal,
    );
  }
  const answer = await answerTo(forerun, { options, read, place }, signal);
  status.clear();
  const palette = paletteFor(options.color, process.stdout, process.env);
  await writeReport(await reportOf(answer.outcome, process.env), options.outputs, palette);
  return answer.code;
}

/** Reports the merge after every change, until the user ends it; the last verdict counts. */
async function reportMerges(
  forerun: Forerun,
  {
    options,
    status,
    merge,
  }: { readonly options: WhatifOptions; readonly status: StatusLine; readonly merge: MergeRequest },
  signal: AbortSignal,
): Promise<ExitCode> {
  const palette = paletteFor(options.color, process.stdout, process.env);
  let code: ExitCode = exitCodes.unknown;
  try {
    for await (const check of watchMerge(forerun, merge, signal)) {
      status.clear();
      code = exitCodeOf(check.verdict);
      await writeReport(await reportOf({ kind: 'merge', check }, process.env), options.outputs, palette);
      status.show('watching for changes');
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
  return code;
}

type Asked = {
  readonly options: WhatifOptions;
  readonly read: ReadChanges | undefined;
  readonly place: Whereabouts;
};

async function answerTo(
  forerun: Forerun,
  { options, read, place }: Asked,
  signal: AbortSignal,
): Promise<Answer> {
  const { subject } = options;
  if (subject.kind === 'merge') {
    const { sides, onto } = subject;
    const check = await checkMerge(forerun, { ...place, directory: process.cwd(), sides, onto }, signal);
    return { outcome: { kind: 'merge', check }, code: exitCodeOf(check.verdict) };
  }
  if (read?.kind === 'several') {
    const { exitBy = 'worst' } = subject.kind === 'changes' ? subject : {};
    const ranked = await checkAlternatives(forerun, { ...place, patches: read.patches }, signal);
    return { outcome: { kind: 'ranking', ranked }, code: exitCodeOfRanking(ranked, exitBy) };
  }
  const check = await checkOne(forerun, { subject, read, place }, signal);
  return { outcome: { kind: 'change', check }, code: exitCodeOf(check.verdict.kind) };
}

async function checkOne(
  forerun: Forerun,
  {
    subject,
    read,
    place,
  }: Pick<Asked, 'read' | 'place'> & { readonly subject: Exclude<WhatifSubject, { kind: 'merge' }> },
  signal: AbortSignal,
): Promise<PatchCheck> {
  if (subject.kind === 'pending') return checkPending(forerun, { ...place, kind: subject.pending }, signal);
  if (read?.kind === 'patch') return checkPatch(forerun, { ...place, patch: read.text }, signal);
  return checkRevision(forerun, { ...place, revision: subject.changes[0] ?? 'HEAD' }, signal);
}

type ReadChanges =
  | { readonly kind: 'patch'; readonly text: string }
  /** One argument that is no file: git is asked what it names. */
  | { readonly kind: 'revision' }
  | { readonly kind: 'several'; readonly patches: readonly NamedPatch[] };

async function readChanges({
  changes,
  exitBy,
}: Extract<WhatifSubject, { kind: 'changes' }>): Promise<ReadChanges> {
  const [only = '-', ...others] = changes;
  if (others.length > 0 || exitBy !== undefined) {
    return { kind: 'several', patches: await Promise.all(changes.map(readNamed)) };
  }
  return (await isPatch(only)) ? { kind: 'patch', text: await readPatch(only) } : { kind: 'revision' };
}

/** Whatever can be read as a file is a patch; a directory and a name that is none are for git. */
async function isPatch(name: string): Promise<boolean> {
  if (name === '-') return true;
  const found = await stat(name).catch(() => undefined);
  return found !== undefined && !found.isDirectory();
}

/** A patch that cannot be read counts as failed; the others are judged. */
async function readNamed(name: string): Promise<NamedPatch> {
  try {
    return { name, text: await readPatch(name) };
  } catch (thrown) {
    if (thrown instanceof Failure) return { name, text: thrown };
    throw thrown;
  }
}

async function readPatch(file: string): Promise<string> {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (cause) {
    throw new UnreadablePatch(`cannot read ${file}: ${messageOf(cause)}`, { cause });
  }
}

class UnreadablePatch extends Failure {
  readonly code = 'cli/unreadable-patch';
  readonly remedy =
    'Give the path of a patch file, or - to read the patch from standard input. Several branches are judged with --merge.';
}
