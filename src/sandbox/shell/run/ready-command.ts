/**
 * Gets a command ready to start: its patterns expanded, its program found, its environment made.
 *
 * Invariant: the call is judged once more as it will run, so that no expansion slips past a rule, and what it
 * reads is looked at behind every link.
 */
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import type { ReadFile } from '../command/command-rule.ts';
import { gatePath } from '../command/path-gate.ts';
import { judgeCommand } from '../shell-reading.ts';
import type { ShellCommand, ShellWord } from '../syntax/shell-list.ts';
import { environmentOf } from './command-environment.ts';
import type { CommandWorld } from './command-world.ts';
import { expandWord } from './file-pattern.ts';
import { hardenGit } from './git-hardening.ts';
import { ignoringAbsence } from './merged-view.ts';
import type { ReadyCommand } from './pipeline-run.ts';
import { findProgram } from './program.ts';

interface Place {
  readonly world: CommandWorld;
  readonly cwd: string;
}

/** The command as it will start, or the boundary that only now shows. */
export async function readyCommand(
  command: ShellCommand,
  { world, cwd }: Place,
  signal: AbortSignal,
): Promise<ReadyCommand | ShellBoundary> {
  const argv = await expandWords(command.argv, { world, cwd });
  if (isBoundary(argv)) return argv;
  const verdict = judgeCommand({ ...command, argv }, [cwd]);
  if (isBoundary(verdict)) return verdict;
  const special = await refuseSpecialFiles(verdict.reads, cwd);
  if (special) return special;
  const [name, ...args] = argv;
  if (name === undefined) return boundary('empty', command.at, 'there is no command');
  const program = await findProgram({ name: name.text, at: name.at, ...world });
  if (isBoundary(program)) return program;
  const { redirects, input } = command;
  const call = { redirects, input: input?.kind === 'file' ? { ...input, path: input.path.text } : input };
  if (name.text === 'git') {
    const git = await hardenGit({ args, program: program.path, cwd, world }, signal);
    return isBoundary(git) ? git : { program: 'git', ...git, ...call };
  }
  const env = environmentOf(name.text, world);
  return { program: program.calledAs, args: args.map(({ text }) => text), env, ...call };
}

async function expandWords(
  words: readonly ShellWord[],
  { world, cwd }: Place,
): Promise<readonly ShellWord[] | ShellBoundary> {
  const expanded: ShellWord[] = [];
  for (const word of words) {
    const made = await expandWord(word, { view: world.view, cwd });
    if (isBoundary(made)) return made;
    expanded.push(...made);
  }
  return expanded;
}

/** A link can lead to a device that a path's spelling does not show. */
async function refuseSpecialFiles(
  reads: readonly ReadFile[],
  cwd: string,
): Promise<ShellBoundary | undefined> {
  for (const { path, at } of reads) {
    if (path === '-' || path === '') continue;
    const real = await ignoringAbsence(realpath(resolve(cwd, path)));
    const stats = real === undefined ? undefined : await ignoringAbsence(stat(real));
    if (real === undefined || stats === undefined || real === '/dev/null') continue;
    const isOrdinary = stats.isFile() || stats.isDirectory();
    if (!isOrdinary) return boundary('special-file', at, `${path} is no ordinary file`);
    const gated = gatePath({ path: real, at }, [cwd]);
    if (gated) return gated;
  }
  return undefined;
}
