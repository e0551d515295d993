/** The lock between processes with real processes, some of them killed while they acquire, hold or release it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { expect, test } from 'vitest';
import { childProgram } from '../support/child-program.ts';
import { SeededRandom } from '../support/seeded-random.ts';

const script = childProgram('lock-child');

/** A process that acquires the lock again and again, and what it has printed. */
class Contender {
  readonly process: ChildProcess;
  readonly lines: Interface;
  entered = 0;
  violations = 0;

  constructor(directory: string) {
    const words = [script, join(directory, 'held', 'lock'), join(directory, 'inside')];
    this.process = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    if (!this.process.stdout) throw new Error('the process has no output');
    this.lines = createInterface({ input: this.process.stdout });
    this.lines.on('line', (line) => {
      if (line === 'entered') this.entered += 1;
      else this.violations += 1;
    });
  }

  /** Resolves when it has held the lock so many times more. */
  async enters(times: number): Promise<void> {
    const goal = this.entered + times;
    while (this.entered < goal) await once(this.lines, 'line', { signal: AbortSignal.timeout(60_000) });
  }

  async kill(): Promise<void> {
    const gone = once(this.process, 'close');
    this.process.kill('SIGKILL');
    await gone;
  }
}

test('L1, L4, L5: processes killed at any moment leave a lock that exactly one of the others takes over', {
  timeout: 300_000,
}, async () => {
  const random = SeededRandom.fromEnvironment();
  const directory = mkdtempSync(join(tmpdir(), 'forerun-file-lock-'));
  const all = Array.from({ length: 3 }, () => new Contender(directory));
  let living = [...all];
  try {
    await Promise.all(living.map((contender) => contender.enters(1)));
    for (let kill = 0; kill < 12; kill++) {
      const [victim, ...others] = random.happens(50) ? living : [...living].reverse();
      // Somewhere in the middle of acquiring, holding or releasing: its turns take a fraction of a millisecond.
      await victim?.enters(1 + random.below(3));
      for (let turn = random.below(50); turn > 0; turn--) await new Promise((next) => setImmediate(next));
      await victim?.kill();
      await Promise.all(others.map((contender) => contender.enters(2)));
      const successor = new Contender(directory);
      all.push(successor);
      living = [...others, successor];
      await successor.enters(1);
    }
    expect(all.reduce((sum, { violations }) => sum + violations, 0)).toBe(0);
  } finally {
    await Promise.all(living.map((contender) => contender.kill()));
    rmSync(directory, { recursive: true, force: true });
  }
});
