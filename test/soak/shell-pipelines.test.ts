/** Everyday pipelines, run for real: they print what bash prints, and change nothing. Every ninth in each run, all in a soak. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readShellCommand } from '../../src/shell/shell-reading.ts';
import type { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { benignRunTables } from '../support/shell/benign-tables.ts';
import { comparable, createRepository, runBash, runRead } from '../support/shell/looked-at-repository.ts';
import { isSoak } from '../support/soak.ts';
import { describeTree } from '../support/tree-hash.ts';

let scratch: ScratchWorkspace;

beforeAll(async () => {
  scratch = await createRepository();
});

afterAll(async () => {
  await scratch[Symbol.asyncDispose]();
});

/** What the clock, the machine, chance or another search path answers is not compared. */
const changing =
  /\/proc\/|\btop\b|pstree|xargs .*-P|pgrep|pidof|vmstat|netstat|\bss -|\bip |lscpu|\bpnpm .*-g|date\b|Date|time|uptime|\bps\b|sort -R|df -|free|uname|which|type |command -v|ls -l|ls -la|-ls\b|stat |du -|shuf|\$(HOME|PATH|SHELL)|printenv|hostname|reflog|blame|config|stash|%[ac][dr]|mmin|mtime|random|sys\.|process\.|git var|listdir|find \. -type [dl]|rg .*--(json|stats)|head -20 \*\.md/;

/** What bash answers, if that is never what we answer, though always the same. */
async function differingBash(text: string, ours: Answer): Promise<Answer | undefined> {
  let first: Answer | undefined;
  for (let run = 0; run < 4; run++) {
    const bash = comparable(text, await runBash(text, scratch));
    if (isSame(bash, ours) || (first && !isSame(bash, first))) return undefined;
    first ??= bash;
  }
  return first;
}

type Answer = ReturnType<typeof comparable>;

function isSame(a: Answer, b: Answer): boolean {
  return a.stdout === b.stdout && a.code === b.code;
}

/** Boundaries that only the machine or the repository of the test brings about. */
const expected = /^(program|toolchain|workspace-program|special-file|git-configuration)$/;

describe('everyday pipelines', { timeout: 480_000 }, () => {
  test.each(Object.entries(benignRunTables))('%s', async (_, all) => {
    const rows = all.filter((_, place) => isSoak() || place % 9 === 0);
    const before = await describeTree(scratch.workspace.root);
    const odd: unknown[] = [];
    let ended = 0;
    for (const text of rows) {
      if (readShellCommand(text).kind === 'boundary') continue;
      const ran = await runRead(text, scratch, { timeoutMs: 60_000 });
      if (ran.kind === 'boundary') {
        // Names of files here have a quote, at which xargs itself would stop, and a backslash, which read would take away.
        const isOddName = /contain quotes|contains a backslash/.test(ran.why);
        if (!expected.test(ran.rule) && !isOddName) odd.push({ text, rule: ran.rule, why: ran.why });
        continue;
      }
      expect(ran.ended, text).toBe('itself');
      ended += 1;
      if (changing.test(text)) continue;
      const ours = comparable(text, ran);
      const bash = await differingBash(text, ours);
      if (bash) odd.push({ ours, bash: { ...bash, stderr: ran.stderr } });
    }
    expect(odd).toEqual([]);
    expect(ended).toBeGreaterThan(rows.length / 4);
    expect(await describeTree(scratch.workspace.root)).toEqual(before);
  });
});
