/** `forerun whatif`: what would this patch break? */
import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Failure, messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { Scope } from '../servers/way.ts';
import type { Verdict } from '../session/verdict.ts';
import { type ExitCode, exitCodes } from './exit-code.ts';
import { House } from './house.ts';
import type { Life } from './lifetime.ts';
import { type ColorChoice, paletteFor } from './palette.ts';
import { StatusLine } from './status-line.ts';
import { humanReport } from './whatif/human-report.ts';
import { jsonReport, sarifReport } from './whatif/json-report.ts';
import { checkPatch } from './whatif/patch-check.ts';

export interface WhatifOptions {
  /** A file, or `-` for standard input. */
  readonly patch: string;
  readonly root?: string;
  readonly scope: Scope;
  readonly timeoutMs: number;
  readonly format: 'human' | 'json' | 'sarif';
  readonly color: ColorChoice;
  readonly log: Log;
}

class UnreadablePatch extends Failure {
  readonly code = 'cli/unreadable-patch';
  readonly remedy = 'Give the path of a patch file, or - to read the patch from standard input.';
}

export async function whatifCommand({ signal }: Life, options: WhatifOptions): Promise<ExitCode> {
  const patch = await readPatch(options.patch);
  await using house = new House({ definitions: 'detect', log: options.log, sessions: 'memory' });
  const root = options.root ?? (await repositoryRoot(process.cwd()));
  using status = new StatusLine(process.stderr);
  const { scope, timeoutMs } = options;
  const onProgress = (message: string) => status.show(message);
  const check = await checkPatch(house, { root, patch, scope, timeoutMs, onProgress }, signal);
  status.clear();
  if (options.format === 'human') {
    process.stdout.write(await humanReport(check, paletteFor(options.color, process.stdout, process.env)));
  } else {
    const report = options.format === 'json' ? jsonReport(check) : sarifReport(check);
    process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  }
  return exitCodeOf(check.verdict);
}

function exitCodeOf(verdict: Verdict): ExitCode {
  if (verdict.kind === 'clean') return exitCodes.good;
  return verdict.kind === 'broken' ? exitCodes.bad : exitCodes.unknown;
}

async function readPatch(file: string): Promise<string> {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (cause) {
    throw new UnreadablePatch(`cannot read ${file}: ${messageOf(cause)}`, { cause });
  }
}

/** Git writes paths from the top of the repository, wherever inside it the diff was made. */
async function repositoryRoot(from: string): Promise<string> {
  for (let directory = from; ; directory = dirname(directory)) {
    const isTop = await access(join(directory, '.git')).then(
      () => true,
      () => false,
    );
    if (isTop) return directory;
    if (dirname(directory) === directory) return from;
  }
}
