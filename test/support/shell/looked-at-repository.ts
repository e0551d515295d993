/**
 * The small workspace as a git repository, and the two ways its commands are run: by us, and by bash.
 *
 * Invariant: neither way hands a variable of the test's own environment to a command.
 */
import { writeFile } from 'node:fs/promises';
import { runCommand } from '../../../src/process/run-command.ts';
import {
  type ReadonlyRun,
  type ReadonlyRunOptions,
  runReadonlyCommand,
} from '../../../src/sandbox/readonly/readonly-run.ts';
import { readShellCommand } from '../../../src/shell/shell-reading.ts';
import { DiskSource } from '../../../src/workspace/disk-source.ts';
import { ScratchWorkspace } from '../scratch-workspace.ts';
import { lookedAtFiles } from './looked-at-files.ts';

export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const never = new AbortController().signal;

export async function createRepository(): Promise<ScratchWorkspace> {
  const made = await ScratchWorkspace.create(lookedAtFiles);
  await git(made, 'init', '-q', '-b', 'main');
  await git(made, 'add', '.');
  await git(made, 'commit', '-q', '-m', 'first');
  await writeFile(made.at('src/a.ts'), 'export const a = 2;\n');
  await git(made, 'stash', '-q');
  await writeFile(made.at('src/b.ts'), 'export const b = 3;\n');
  await git(made, 'commit', '-q', '-a', '-m', 'second');
  await git(made, 'tag', 'v1.0');
  await writeFile(made.at('src/index.ts'), 'export function main() {}\n');
  await writeFile(made.at('untracked.txt'), 'new\n');
  return made;
}

export async function git({ workspace }: ScratchWorkspace, ...args: readonly string[]): Promise<void> {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  const env = { PATH: systemPath, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const limits = { timeoutMs: 20_000, maxOutputBytes: 10_000 };
  const result = await runCommand(
    { command: ['git', ...who, ...args], cwd: workspace.root, env, ...limits },
    never,
  );
  if (result.code !== 0) throw new Error(result.stderr);
}

/** Runs a text that must be read as readonly. */
export function runRead(
  text: string,
  where: ScratchWorkspace,
  options: Partial<ReadonlyRunOptions> = {},
): Promise<ReadonlyRun> {
  const { root } = where.workspace;
  const reading = readShellCommand(text, root);
  if (reading.kind === 'boundary') throw new Error(`${text}: ${reading.why}`);
  const source = new DiskSource(where.workspace);
  const env = { PATH: systemPath, LC_ALL: 'C.UTF-8' };
  return runReadonlyCommand(reading, { source, root, cwd: root, env, ...options }, never);
}

export interface Printed {
  readonly code: number | undefined;
  readonly stdout: string;
}

export async function runBash(text: string, { workspace }: ScratchWorkspace): Promise<Printed> {
  const env = {
    PATH: systemPath,
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_OPTIONAL_LOCKS: '0',
  };
  // Without standard input of its own, as a command that is read has none.
  const command = ['/bin/bash', '--noprofile', '--norc', '-c', `exec </dev/null\n${text}`];
  const limits = { timeoutMs: 20_000, maxOutputBytes: 1_000_000 };
  const result = await runCommand({ command, cwd: workspace.root, env, ...limits }, never);
  return { code: result.code, stdout: result.stdout };
}

/** Searching programs visit files in no promised order, so their lines are compared as a set. */
export function comparable(text: string, { code, stdout }: Printed): Printed & { readonly text: string } {
  const isUnordered = /(^|[|;&(]\s*)(rg|fd|fdfind|ag)\s/.test(text);
  return { text, code, stdout: isUnordered ? stdout.split('\n').sort().join('\n') : stdout };
}
