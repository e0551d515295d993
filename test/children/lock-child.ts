/**
 * Acquires a lock again and again. While it holds the lock it claims a second file, `inside`, and prints a line
 * `violation` if a living process has claimed that as well; otherwise one line `entered` for each turn.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { FileLock } from '../../src/process/file-lock.ts';
import { isLiving, ownMark } from '../../src/process/living-process.ts';

const [file = '', inside = ''] = process.argv.slice(2);
const place = { file, makeDirectory: () => mkdirSync(dirname(file), { recursive: true }) };

for (;;) {
  using _lock = await FileLock.acquire(place, new AbortController().signal);
  const other = claimant();
  if (other && isLiving(other)) process.stdout.write('violation\n');
  writeFileSync(inside, JSON.stringify(ownMark()));
  // Other processes get their chance to enter.
  for (let turn = 0; turn < 3; turn++) await setImmediate();
  if (claimant()?.pid !== process.pid) process.stdout.write('violation\n');
  rmSync(inside, { force: true });
  process.stdout.write('entered\n');
}

function claimant(): { pid: number; started: string } | undefined {
  try {
    return JSON.parse(readFileSync(inside, 'utf8'));
  } catch {
    return undefined;
  }
}
