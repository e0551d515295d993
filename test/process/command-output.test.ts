/** What a command wrote is read whole, however busy this process is when the command ends. */
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { spawnChild } from '../../src/process/child-process.ts';
import { runCommand } from '../../src/process/run-command.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';

/** Keeps the event loop from turning. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function blockUntil(file: string): void {
  while (!existsSync(file)) block(5);
  // The process that made the file ends right after.
  block(100);
}

test('a command that ends while this process is busy loses nothing of its output', async () => {
  await using scratch = await ScratchWorkspace.create();
  const place = { cwd: scratch.at(''), env: { PATH: process.env.PATH } };
  const late = 'until [ -e go ]; do sleep 0.02; done; echo written; : > late';
  const limits = { timeoutMs: 60_000, maxOutputBytes: 1000 };
  const result = runCommand(
    { command: ['sh', '-c', late], ...place, ...limits },
    new AbortController().signal,
  );
  // Node reaps every child that has ended as soon as one of them is reported, before it has read the output of the others.
  const early = spawnChild({ command: ['sh', '-c', 'echo early; : > early'], ...place, log: silentLog });
  early.stdout.once('data', () => {
    setImmediate(() => block(300));
    writeFileSync(scratch.at('go'), '');
    blockUntil(scratch.at('late'));
  });
  blockUntil(scratch.at('early'));
  expect(await result).toMatchObject({ code: 0, stdout: 'written\n' });
});
