/** `forerun daemon logs`: prints the logs of brokers, including ended ones. */

import { createReadStream, readdirSync, statSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { onAbort } from '../../base/deadline.ts';
import { logOf, logsIn } from '../../broker/broker-paths.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { brokersHere, realRootOf, type Selection, speaks } from './daemon-selection.ts';

export interface LogsOptions extends Selection {
  readonly follow?: boolean | undefined;
}

export async function daemonLogs({ signal }: ProcessLifetime, options: LogsOptions): Promise<ExitCode> {
  const files = await logsOf(options);
  const newest = files.at(-1);
  if (newest === undefined) {
    process.stdout.write('No logs.\n');
    return exitCodes.good;
  }
  for (const file of options.follow ? [newest] : files) {
    if (files.length > 1) process.stdout.write(`==> ${file} <==\n`);
    const size = await printFrom(file, 0);
    if (options.follow) await follow(file, size, signal);
  }
  return exitCodes.good;
}

/** The matching log files, the most recently written last. */
async function logsOf({ root, language }: Selection): Promise<readonly string[]> {
  const home = brokersHere();
  const wanted = root === undefined ? undefined : await realRootOf(root);
  return namesIn(logsIn(home))
    .flatMap((name) => {
      const server = /^(.+)-[0-9a-f]{16}\.log$/.exec(name)?.[1];
      if (server === undefined) return [];
      if (language !== undefined && !speaks({ server, language_id: '' }, language)) return [];
      if (wanted !== undefined && basename(logOf(home, { root: wanted, server })) !== name) return [];
      return [join(logsIn(home), name)];
    })
    .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Prints a file from an offset, and returns the offset of its end. */
async function printFrom(file: string, offset: number): Promise<number> {
  const size = statSync(file).size;
  if (size <= offset) return size;
  await pipeline(createReadStream(file, { start: offset, end: size - 1 }), process.stdout, { end: false });
  return size;
}

/** Prints new lines until the command is terminated. */
async function follow(file: string, from: number, signal: AbortSignal): Promise<void> {
  let offset = from;
  let printing = Promise.resolve();
  const more = (): void => {
    printing = printing.then(async () => {
      offset = await printFrom(file, offset);
    });
  };
  await new Promise<void>((resolve, reject) => {
    const watcher = watch(file, more).on('error', reject);
    onAbort(signal, () => resolve(watcher.close()));
  });
  await printing;
}
