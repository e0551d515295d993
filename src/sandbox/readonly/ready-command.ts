/**
 * Prepares a command for its start: locates the program, hardens the arguments, builds the environment.
 *
 * Invariant: the expanded call is classified again, so that no expansion bypasses a rule, and its inputs are checked
 * after following links.
 */
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { boundary, isBoundary, type ShellBoundary } from '../../shell/boundary.ts';
import type { AllowedCommand, ReadFile } from '../../shell/command/command-rule.ts';
import { gatePath } from '../../shell/command/path-gate.ts';
import { judgeCommand, withProgramText } from '../../shell/reading/command-judge.ts';
import { unwrapped, wrappedVariables } from '../../shell/reading/wrapper.ts';
import type { ShellCommand } from '../../shell/syntax/shell-list.ts';
import { environmentOf } from './command-environment.ts';
import type { CommandWorld } from './command-world.ts';
import { hardenGit } from './git-hardening.ts';
import { hardenArguments } from './hardened-arguments.ts';
import { ignoringAbsence } from './merged-view.ts';
import { refuseConfiguration } from './package-configuration.ts';
import type { ReadyCommand } from './pipeline-run.ts';
import { findProgram } from './program.ts';

interface Place {
  readonly world: CommandWorld;
  readonly cwd: string;
}

/** The command with expanded words, ready to start, or a boundary that became known only now. */
export async function readyCommand(
  written: ShellCommand & { readonly input: ReadyInput },
  { world, cwd }: Place,
  signal: AbortSignal,
): Promise<ReadyCommand | ShellBoundary> {
  const command = withProgramText(written);
  const argv = unwrapped(command.argv);
  const verdict = judgeCommand({ ...command, argv }, { bases: [cwd], root: world.root, source: 'name' });
  if (isBoundary(verdict)) return verdict;
  const special = await refuseSpecialFiles(verdict, { world, cwd });
  if (special) return special;
  const [name, ...args] = argv;
  const isProvided = args.some((word) => word.provided);
  if (isProvided && name?.text === 'diff') {
    const directory = await refuseDirectories(verdict.reads, cwd);
    if (directory) return directory;
  }
  if (name === undefined) return boundary('empty', command.at, 'there is no command');
  const answers = verdict.checked ? 'any' : 'own';
  const program = await findProgram({ name: name.text, at: name.at, answers, ...world });
  if (isBoundary(program)) return program;
  const configured = await refuseConfiguration({ name, verdict, program: program.path, world, cwd });
  if (configured) return configured;
  const call = { redirects: command.redirects, input: fileInput(command.input) };
  if (name.text === 'git') {
    const git = await hardenGit({ args, program: program.path, cwd, world }, signal);
    return isBoundary(git) ? git : { program: 'git', ...git, ...call };
  }
  const chosen = Object.fromEntries(command.assignments.map((each) => [each.name, each.value.text]));
  const env = { ...environmentOf(name.text, world), ...chosen, ...wrappedVariables(command.argv) };
  const texts =
    verdict.checked?.args ??
    hardenArguments(
      name.text,
      args.map(({ text }) => text),
      isProvided ? 'provided' : 'named',
    );
  return { program: program.calledAs, args: texts, env, ...call };
}

/** An input whose words are expanded. */
export type ReadyInput = Exclude<ShellCommand['input'], { readonly kind: 'word' | 'output' }>;

function fileInput(input: ShellCommand['input']): ReadyCommand['input'] {
  if (input?.kind === 'word' || input?.kind === 'output') return undefined;
  return input?.kind === 'file' ? { kind: 'file', path: input.path.text } : input;
}

/** Compared with a file that is provided, diff follows links; in a directory it would choose one itself. */
async function refuseDirectories(
  reads: readonly ReadFile[],
  cwd: string,
): Promise<ShellBoundary | undefined> {
  for (const { path, at } of reads) {
    const stats = await ignoringAbsence(stat(resolve(cwd, path)));
    if (path !== '-' && stats?.isDirectory())
      return boundary('operand', at, `${path} is a directory, and <(…) is a file`);
  }
  return undefined;
}

/** A link can lead to a device or out of the workspace, which the path does not show. */
export async function refuseSpecialFiles(
  { reads, entries }: Pick<AllowedCommand, 'reads' | 'entries'>,
  place: Place,
): Promise<ShellBoundary | undefined> {
  const root = (await ignoringAbsence(realpath(place.world.root))) ?? place.world.root;
  for (const [files, kind] of [
    [reads, 'file'],
    [entries, 'entry'],
  ] as const) {
    for (const file of files) {
      const refused = await refuseSpecial(file, { ...place, root, kind });
      if (refused) return refused;
    }
  }
  return undefined;
}

async function refuseSpecial(
  { path, at }: ReadFile,
  { cwd, root, kind }: Place & { readonly root: string; readonly kind: 'file' | 'entry' },
): Promise<ShellBoundary | undefined> {
  if (path === '-' || path === '') return undefined;
  const real = await ignoringAbsence(realpath(resolve(cwd, path)));
  const stats = real === undefined ? undefined : await ignoringAbsence(stat(real));
  if (real === undefined || stats === undefined || real === '/dev/null') return undefined;
  const isOrdinary = stats.isFile() || stats.isDirectory();
  if (!isOrdinary && kind === 'file') return boundary('special-file', at, `${path} is not a regular file`);
  return gatePath({ path: real, at }, { bases: [cwd], root, kind });
}
