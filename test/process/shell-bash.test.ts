/** What we read in a command is what bash would have started. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../src/process/run-command.ts';
import { expandWord } from '../../src/sandbox/readonly/file-pattern.ts';
import { MergedView } from '../../src/sandbox/readonly/merged-view.ts';
import { isBoundary } from '../../src/shell/boundary.ts';
import { commandTable } from '../../src/shell/command/command-table.ts';
import { readShellCommand } from '../../src/shell/shell-reading.ts';
import type { ShellCommand, ShellList } from '../../src/shell/syntax/shell-list.ts';
import { parseShellList } from '../../src/shell/syntax/shell-parser.ts';
import { DiskSource } from '../../src/workspace/disk-source.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { benignCommands } from '../support/shell/benign-commands.ts';
import { lookedAtFiles } from '../support/shell/looked-at-files.ts';

let stubs: string;
let scratch: ScratchWorkspace;

/** Writes down how it was called and what it was given to read, and ends as it is told. */
const stub = `#!/bin/sh
printf '%s\\0' "\${0##*/}" "$@" > "$STUB_OUT/$$.argv"
/bin/cat > "$STUB_OUT/$$.input"
exit "$STUB_CODE"
`;

beforeAll(async () => {
  scratch = await ScratchWorkspace.create(lookedAtFiles);
  stubs = await mkdtemp(join(tmpdir(), 'forerun-stubs-'));
  for (const name of [...commandTable.keys(), 'cd', 'xargs']) {
    await writeFile(join(stubs, name), stub);
    await chmod(join(stubs, name), 0o755);
  }
});

afterAll(async () => {
  await scratch[Symbol.asyncDispose]();
  await rm(stubs, { recursive: true, force: true });
});

/** The commands bash starts for a text when each of them ends with `code`. */
async function startedByBash(text: string, code: 0 | 1): Promise<readonly string[]> {
  const out = join(stubs, `out-${code}`);
  await rm(out, { recursive: true, force: true });
  await mkdir(out);
  const builtins = "enable -n '[' cd command echo false printf pwd test true type\n";
  const command = ['/bin/bash', '--noprofile', '--norc', '-c', builtins + text];
  const env = { PATH: stubs, LC_ALL: 'C.UTF-8', STUB_OUT: out, STUB_CODE: String(code) };
  const limits = { timeoutMs: 20_000, maxOutputBytes: 10_000 };
  const signal = AbortSignal.timeout(30_000);
  await runCommand({ command, cwd: scratch.workspace.root, env, ...limits }, signal);
  const names = (await readdir(out)).filter((name) => name.endsWith('.argv'));
  const started = names.map(async (name) => {
    const argv = (await readFile(join(out, name), 'utf8')).split('\0').slice(0, -1);
    return described(argv, await readFile(join(out, name.replace('.argv', '.input')), 'utf8'));
  });
  return (await Promise.all(started)).sort();
}

/** The commands we would start under the same assumption. */
async function startedByUs(steps: ShellList, code: 0 | 1): Promise<readonly string[]> {
  const wanted = code === 0 ? 'failure' : 'success';
  const commands = steps
    .filter(({ when }, index) => index === 0 || when !== wanted)
    .flatMap(({ pipeline }) => pipeline);
  return (await Promise.all(commands.map(describeCommand))).sort();
}

async function describeCommand({ argv, input }: ShellCommand): Promise<string> {
  const { root } = scratch.workspace;
  const view = new MergedView(new DiskSource(scratch.workspace), root);
  const words: string[] = [];
  for (const word of argv) {
    const expanded = await expandWord(word, { view, cwd: root });
    if (isBoundary(expanded)) throw new Error(expanded.why);
    words.push(...expanded.map(({ text }) => text));
  }
  if (input?.kind === 'file') return described(words, await readFile(join(root, input.path.text), 'utf8'));
  return described(words, input?.kind === 'text' ? input.text : '');
}

function described(argv: readonly string[], input: string): string {
  return JSON.stringify({ argv, input });
}

test('bash starts the same commands with the same words and input', { timeout: 240_000 }, async () => {
  let compared = 0;
  for (const text of benignCommands) {
    const steps = parseShellList(text);
    // Programs given as text are started with other words than were written.
    if (isBoundary(steps) || readShellCommand(text).kind === 'boundary') continue;
    // Where nothing hangs on an outcome, one outcome shows it all.
    const codes = steps.some(({ when }) => when !== 'always') ? ([0, 1] as const) : ([0] as const);
    for (const code of codes) {
      expect(await startedByBash(text, code), text).toEqual(await startedByUs(steps, code));
    }
    compared += 1;
  }
  expect(compared).toBeGreaterThan(benignCommands.length * 0.95);
});
