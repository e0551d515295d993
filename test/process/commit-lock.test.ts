/** Whose commit lock is waited for, and whose is taken over. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { commitOverlay } from '../../src/overlay/commit/commit.ts';
import { Overlay } from '../../src/overlay/overlay.ts';
import { workspaceKey } from '../../src/storage/workspace-key.ts';
import { Baseline } from '../../src/workspace/baseline.ts';
import { DiskSource } from '../../src/workspace/disk-source.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';

describe.runIf(process.platform === 'linux')('the commit lock', () => {
  test('of a process that has ended and was not waited for by its parent is taken over', async () => {
    await using parent = await Parent.ofZombie();
    await using scratch = await ScratchWorkspace.create({ 'a.txt': 'old' });
    await using state = await ScratchWorkspace.create();
    plantLock(scratch, state, parent.child);
    expect(await commit(scratch, state, AbortSignal.timeout(60_000))).toMatchObject({ kind: 'committed' });
    expect(await readFile(scratch.at('a.txt'), 'utf8')).toBe('new');
  });

  test('of a living process is waited for', async () => {
    await using parent = await Parent.ofLiving();
    await using scratch = await ScratchWorkspace.create({ 'a.txt': 'old' });
    await using state = await ScratchWorkspace.create();
    const lock = plantLock(scratch, state, parent.child);
    const planted = await readFile(lock, 'utf8');
    const enough = new AbortController();
    const committing = commit(scratch, state, enough.signal);
    const first = await Promise.race([committing, manyTurns().then(() => 'waiting')]);
    expect(await readFile(lock, 'utf8')).toBe(planted);
    enough.abort(new Error('enough'));
    expect(first).toBe('waiting');
    await expect(committing).rejects.toThrow('enough');
    expect(await readFile(scratch.at('a.txt'), 'utf8')).toBe('old');
  });

  test('of a process whose number was given to another is taken over', async () => {
    await using parent = await Parent.ofLiving();
    await using scratch = await ScratchWorkspace.create({ 'a.txt': 'old' });
    await using state = await ScratchWorkspace.create();
    plantLock(scratch, state, parent.child, 'an earlier start');
    expect(await commit(scratch, state, AbortSignal.timeout(60_000))).toMatchObject({ kind: 'committed' });
  });
});

/** A shell whose one child either has ended without the shell noticing, or lives. */
class Parent implements AsyncDisposable {
  readonly #shell: ChildProcess;
  /** The child of a shell that is to leave a zombie lives as long as this is open. */
  readonly #gate: Writable;
  readonly child: number;

  private constructor(shell: ChildProcess, gate: Writable, child: number) {
    this.#shell = shell;
    this.#gate = gate;
    this.child = child;
  }

  /** Once `exec` has made the shell a program that waits for no child, its child is let go and ends. */
  static async ofZombie(): Promise<Parent> {
    const parent = await Parent.#start('(read line <&3) & echo $!; exec sleep 600 3<&-');
    await until(() => commandOf(parent.#shell.pid ?? 0) === 'sleep');
    parent.#gate.destroy();
    await until(() => fieldsOf(parent.child)[0] === 'Z');
    return parent;
  }

  static ofLiving(): Promise<Parent> {
    return Parent.#start('echo $$; exec sleep 600');
  }

  static async #start(script: string): Promise<Parent> {
    const shell = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] });
    const [, output, , gate] = shell.stdio;
    if (!(output instanceof Readable) || !(gate instanceof Writable))
      throw new Error('the shell has no pipes');
    const [line] = await once(createInterface({ input: output }), 'line');
    return new Parent(shell, gate, Number(line));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#shell.kill('SIGKILL');
    if (this.#shell.exitCode === null && this.#shell.signalCode === null) await once(this.#shell, 'exit');
  }
}

function fieldsOf(pid: number): readonly string[] {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return line.slice(line.lastIndexOf(')') + 2).split(' ');
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
}

/** Neither an `exec` nor the end of a process that is not our child is an event for us. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

/** The lock as that process would have written it. */
function plantLock(
  { workspace }: ScratchWorkspace,
  state: ScratchWorkspace,
  pid: number,
  started = fieldsOf(pid)[19],
): string {
  const lock = join(state.at('journal'), workspaceKey(workspace.root), 'lock');
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const place = [hostname(), boot, readlinkSync('/proc/self/ns/pid')].join(' ');
  mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
  writeFileSync(lock, JSON.stringify({ pid, place, started }));
  return lock;
}

function commit({ workspace }: ScratchWorkspace, state: ScratchWorkspace, signal: AbortSignal) {
  const overlay = Overlay.on(new Baseline(new DiskSource(workspace)));
  const options = {
    durability: 'process',
    onConflict: 'refuse',
    stateDirectory: state.workspace.root,
  } as const;
  return commitOverlay(workspace, overlay.writeText(workspace.path('a.txt'), 'new'), options, signal);
}

/** More turns of the event loop than a commit that does not wait takes to acquire the lock. */
async function manyTurns(): Promise<void> {
  for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
}
