/** `forerun whatif`: what would this change break? */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Failure, messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { checkAlternatives, type NamedPatch, type RankedPatch } from '../../host/check/alternatives.ts';
import {
  checkPatch,
  checkPending,
  type PatchCheck,
  type PendingRequest,
} from '../../host/check/patch-check.ts';
import { Forerun } from '../../host/forerun.ts';
import type { TrustGrant } from '../../host/user-trust.ts';
import { workspaceDirectory } from '../../host/workspace-directory.ts';
import type { Scope } from '../../servers/projection-mode.ts';
import type { ExitCode } from '../exit-code.ts';
import { type ColorChoice, paletteFor } from '../print/palette.ts';
import { StatusLine } from '../print/status-line.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { humanReport } from './human-report.ts';
import { jsonReport, sarifReport } from './json-report.ts';
import { exitCodeOf, exitCodeOfRanking } from './patch-exit-code.ts';
import { rankingJson, rankingReport, rankingSarif } from './ranking-report.ts';

export interface WhatifOptions {
  /** Files; one of them may be `-` for standard input. If empty, the uncommitted changes are judged. */
  readonly patches: readonly string[];
  /** What is judged if no patch is given. */
  readonly pending: PendingRequest['kind'];
  readonly root?: string | undefined;
  readonly scope: Scope;
  readonly timeoutMs: number;
  readonly format: 'human' | 'json' | 'sarif';
  /** Which verdict the exit code reports; if set, even a single patch is reported as a ranking. */
  readonly exitBy?: 'best' | undefined;
  readonly trust: TrustGrant;
  readonly color: ColorChoice;
  readonly log: Log;
}

class UnreadablePatch extends Failure {
  readonly code = 'cli/unreadable-patch';
  readonly remedy = 'Give the path of a patch file, or - to read the patch from standard input.';
}

export async function whatifCommand({ signal }: ProcessLifetime, options: WhatifOptions): Promise<ExitCode> {
  const { log, trust } = options;
  const [patch, ...others] = options.patches;
  const isRanking = others.length > 0 || options.exitBy !== undefined;
  const read = isRanking ? await Promise.all(options.patches.map(readNamed)) : await readPatch(patch);
  await using forerun = new Forerun({ definitions: 'detect', log, env: process.env, trust });
  const directory = process.cwd();
  const root = options.root ?? (await workspaceDirectory(directory, process.env, signal));
  using status = new StatusLine(process.stderr);
  const { scope, timeoutMs } = options;
  const onProgress = (message: string) => status.show(message);
  const request = { root, scope, timeoutMs, onProgress, ...(options.root === undefined && { directory }) };
  if (typeof read === 'string' || read === undefined) {
    const check =
      read === undefined
        ? await checkPending(forerun, { ...request, kind: options.pending, env: process.env }, signal)
        : await checkPatch(forerun, { ...request, patch: read }, signal);
    status.clear();
    await tellCheck(check, options);
    return exitCodeOf(check.verdict.kind);
  }
  const ranked = await checkAlternatives(forerun, { ...request, patches: read }, signal);
  status.clear();
  tellRanking(ranked, options);
  return exitCodeOfRanking(ranked, options.exitBy ?? 'worst');
}

async function tellCheck(check: PatchCheck, { format, color }: WhatifOptions): Promise<void> {
  if (format === 'human') {
    process.stdout.write(await humanReport(check, paletteFor(color, process.stdout, process.env)));
  } else writeJson(format === 'json' ? jsonReport(check) : sarifReport(check));
}

function tellRanking(ranked: readonly RankedPatch[], { format, color }: WhatifOptions): void {
  if (format === 'human') {
    process.stdout.write(rankingReport(ranked, paletteFor(color, process.stdout, process.env)));
  } else writeJson(format === 'json' ? rankingJson(ranked) : rankingSarif(ranked));
}

function writeJson(report: unknown): void {
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
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

async function readPatch(file: string): Promise<string>;
async function readPatch(file: string | undefined): Promise<string | undefined>;
async function readPatch(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (cause) {
    throw new UnreadablePatch(`cannot read ${file}: ${messageOf(cause)}`, { cause });
  }
}
