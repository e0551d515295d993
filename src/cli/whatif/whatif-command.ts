/** `forerun whatif`: what would this change break? */
import { readFile, stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Failure, messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { checkAlternatives, type NamedPatch, type RankedPatch } from '../../host/check/alternatives.ts';
import { checkMerge } from '../../host/check/merge-check.ts';
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
import type { Scope } from '../../servers/projection-mode.ts';
import type { ExitCode } from '../exit-code.ts';
import { type ColorChoice, type Palette, paletteFor } from '../print/palette.ts';
import { StatusLine } from '../print/status-line.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { humanReport } from './human-report.ts';
import { jsonReport, sarifReport } from './json-report.ts';
import { mergeJson, mergeReport } from './merge-report.ts';
import { exitCodeOf, exitCodeOfRanking } from './patch-exit-code.ts';
import { rankingJson, rankingReport, rankingSarif } from './ranking-report.ts';

/** What is judged. */
export type WhatifSubject =
  | { readonly kind: 'pending'; readonly pending: PendingRequest['kind'] }
  | {
      readonly kind: 'changes';
      /** Patch files, one of them may be `-` for standard input; or one revision or worktree. */
      readonly changes: readonly string[];
      /** Whose verdict the exit code tells; given, even a single patch is reported as one of several. */
      readonly exitBy: 'best' | undefined;
    }
  | { readonly kind: 'merge'; readonly sides: readonly string[]; readonly onto: string | undefined };

export interface WhatifOptions {
  readonly subject: WhatifSubject;
  readonly root?: string | undefined;
  readonly scope: Scope;
  readonly timeoutMs: number;
  readonly format: 'human' | 'json' | 'sarif';
  readonly trust: TrustGrant;
  readonly color: ColorChoice;
  readonly log: Log;
}

/** What to write, and how to exit. */
interface Answer {
  readonly text: string;
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
  await using forerun = new Forerun({ definitions: 'detect', log, env: process.env, trust });
  const directory = process.cwd();
  const root = options.root ?? (await workspaceDirectory(directory, process.env, signal));
  using status = new StatusLine(process.stderr);
  const onProgress = (message: string) => status.show(message);
  const request = { root, scope, timeoutMs, onProgress, env: process.env };
  const place = { ...request, ...(options.root === undefined && { directory }) };
  const answer = await answerTo(forerun, { options, read, place }, signal);
  status.clear();
  process.stdout.write(answer.text);
  return answer.code;
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
  const { subject, format } = options;
  const palette = paletteFor(options.color, process.stdout, process.env);
  if (subject.kind === 'merge') {
    const { sides, onto } = subject;
    const check = await checkMerge(forerun, { ...place, sides, onto }, signal);
    const text = format === 'human' ? mergeReport(check, palette) : jsonText(mergeJson(check));
    return { text, code: exitCodeOf(check.verdict) };
  }
  if (subject.kind === 'pending') {
    return checkAnswer(
      await checkPending(forerun, { ...place, kind: subject.pending }, signal),
      format,
      palette,
    );
  }
  if (read?.kind === 'several') {
    const ranked = await checkAlternatives(forerun, { ...place, patches: read.patches }, signal);
    const text = rankingText(ranked, format, palette);
    return { text, code: exitCodeOfRanking(ranked, subject.exitBy ?? 'worst') };
  }
  const check =
    read?.kind === 'patch'
      ? await checkPatch(forerun, { ...place, patch: read.text }, signal)
      : await checkRevision(forerun, { ...place, revision: subject.changes[0] ?? 'HEAD' }, signal);
  return checkAnswer(check, format, palette);
}

async function checkAnswer(
  check: PatchCheck,
  format: WhatifOptions['format'],
  palette: Palette,
): Promise<Answer> {
  const code = exitCodeOf(check.verdict.kind);
  if (format === 'human') return { text: await humanReport(check, palette), code };
  return { text: jsonText(format === 'json' ? jsonReport(check) : sarifReport(check)), code };
}

function rankingText(
  ranked: readonly RankedPatch[],
  format: WhatifOptions['format'],
  palette: Palette,
): string {
  if (format === 'human') return rankingReport(ranked, palette);
  return jsonText(format === 'json' ? rankingJson(ranked) : rankingSarif(ranked));
}

function jsonText(report: unknown): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
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
  readonly remedy = 'Give the path of a patch file, or - to read the patch from standard input.';
}
