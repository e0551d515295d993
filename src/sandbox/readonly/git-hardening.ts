/**
 * Restricts git to the requested operation: by itself it runs monitors, filters, converters and hooks of a
 * repository, and rewrites its index.
 *
 * Invariant: git runs only after the repository's complete configuration was found harmless; if it cannot be read,
 * git does not run.
 */
import { join, resolve } from 'node:path';
import { inertGitOptions, inertSubcommandOptions } from '../../process/git-command.ts';
import { type CommandResult, runCommand } from '../../process/run-command.ts';
import { boundary, isBoundary, type ShellBoundary } from '../../shell/boundary.ts';
import { readGitCall } from '../../shell/script/git-command.ts';
import type { ShellWord } from '../../shell/syntax/shell-list.ts';
import { gitConfigEnvironment, gitEnvironment } from './command-environment.ts';
import { type CommandWorld, placeCommand } from './command-world.ts';
import { isInertSetting } from './git-configuration.ts';
import type { MergedView } from './merged-view.ts';

export interface GitRequest {
  /** The words after `git`, with patterns expanded. */
  readonly args: readonly ShellWord[];
  readonly program: string;
  readonly cwd: string;
  readonly world: CommandWorld;
}

export interface HardenedGit {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The hardened arguments for git, or why it must not run here. */
export async function hardenGit(
  request: GitRequest,
  signal: AbortSignal,
): Promise<HardenedGit | ShellBoundary> {
  const call = readGitCall(request.args);
  if (isBoundary(call)) return call;
  const texts = request.args.map(({ text }) => text);
  const name = call.subcommand.text;
  // Settings on the command line would be listed among the repository's.
  if (name === 'config') return { args: texts, env: gitConfigEnvironment(request.world) };
  const cwd = resolve(request.cwd, call.directory?.text ?? '.');
  const why = await refuseRepository({ ...request, cwd }, name, signal);
  if (why !== undefined) return boundary('git-configuration', call.subcommand.at, why);
  const own = texts.slice(0, call.offset + 1);
  const args = [
    ...settings,
    ...own,
    ...(inertSubcommandOptions[name] ?? []),
    ...texts.slice(call.offset + 1),
  ];
  return { args, env: gitEnvironment(request.world) };
}

/** git refreshes the index before it compares, even without optional locks. */
const settings: readonly string[] = [...inertGitOptions, '-c', 'diff.autoRefreshIndex=false'];

/** Subcommands that compare with the working tree, which may run filters and enter submodules. */
const comparing: ReadonlySet<string> = new Set([
  'status',
  'diff',
  'diff-index',
  'diff-files',
  'blame',
  'annotate',
  'hash-object',
  'ls-files',
  'describe',
  'submodule',
]);

async function refuseRepository(
  request: GitRequest,
  subcommand: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  // git itself will report that there is no such directory.
  if (!(await request.world.view.isDirectory(request.cwd))) return undefined;
  const place = await ask(
    request,
    ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-common-dir'],
    signal,
  );
  if (place.code !== 0) {
    return place.stderr.includes('not a git repository')
      ? undefined
      : `git did not report the directory of the repository: ${place.stderr.trim()}`;
  }
  const listed = await ask(request, ['config', '--list', '--name-only', '-z'], signal);
  if (listed.code !== 0 || listed.stdout.length >= maxOutputBytes) return 'the configuration cannot be read';
  const setting = listed.stdout.split('\0').find((key) => key !== '' && !isInertSetting(key));
  if (setting !== undefined) return `the repository sets ${setting}, which may run a program`;
  const [top = '', common = ''] = place.stdout.split('\n');
  return comparing.has(subcommand) ? refuseWorkTree(request.world.view, { top, common }) : undefined;
}

async function refuseWorkTree(
  view: MergedView,
  { top, common }: { readonly top: string; readonly common: string },
): Promise<string | undefined> {
  for (const file of [join(top, '.gitattributes'), join(common, 'info', 'attributes')]) {
    const text = await view.readText(file);
    if (text !== undefined && /\bfilter\b/.test(text))
      return `${file} names a filter, without which git would misreport`;
  }
  const modules = await view.readText(join(top, '.gitmodules'));
  return modules === undefined
    ? undefined
    : 'the repository has submodules, which have settings of their own';
}

const maxOutputBytes = 256 * 1024;

/** Neither of these two queries makes git run another program. */
function ask(
  { program, cwd, world }: GitRequest,
  args: readonly string[],
  signal: AbortSignal,
): Promise<CommandResult> {
  const env = { ...gitEnvironment(world), LC_ALL: 'C' };
  const limits = { timeoutMs: 5000, maxOutputBytes };
  return runCommand({ ...placeCommand(world, [program, ...args], cwd), env, ...limits }, signal);
}
