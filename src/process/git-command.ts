/**
 * Runs git without side effects. By itself, git runs monitors, filters, converters, hooks and pagers from the
 * configuration of a repository, and a repository can arrive with its configuration.
 *
 * Invariants: nothing that a repository configures is executed, nothing is fetched, nothing is written to the
 * repository and no user is asked. Without its filter, a file with a new time stamp may be reported as changed
 * although its filtered content is the same; a change is never omitted.
 */
import { copyFile, lstat, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandResult, runCommand } from './run-command.ts';

/** Options before the subcommand; they override every configuration file. */
export const inertGitOptions: readonly string[] = [
  '--no-pager',
  '--no-optional-locks',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.pager=cat',
    'diff.submodule=short',
    'status.submoduleSummary=false',
    'submodule.recurse=false',
    'log.showSignature=false',
    'safe.bareRepository=explicit',
  ].flatMap((setting) => ['-c', setting]),
];

const plainDiff = ['--no-ext-diff', '--no-textconv'];

/** A submodule has its own configuration, which the options above do not affect. */
const shallowSubmodules = '--ignore-submodules=dirty';

/** Options after a subcommand that prevent it from running converters, or git in a submodule. */
export const inertSubcommandOptions: Readonly<Record<string, readonly string[]>> = {
  status: [shallowSubmodules],
  diff: [...plainDiff, shallowSubmodules],
  'diff-index': [...plainDiff, shallowSubmodules],
  'diff-tree': plainDiff,
  'diff-files': [...plainDiff, shallowSubmodules],
  'range-diff': plainDiff,
  log: plainDiff,
  show: plainDiff,
  whatchanged: plainDiff,
};

/** No optional locks, no prompts, no transports. */
export const inertGitEnvironment = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_PAGER: 'cat',
} as const;

export interface GitRun {
  readonly directory: string;
  /** The subcommand and its arguments. */
  readonly words: readonly [subcommand: string, ...rest: string[]];
  /** The environment, with git on its search path; it must lead to no file of the repository. */
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** Written to its standard input; absent: nothing. */
  readonly input?: string;
}

/** Runs a subcommand that reads. An unreadable configuration is returned as git's failure to read it. */
export async function runGit(run: GitRun, signal: AbortSignal): Promise<CommandResult> {
  const { directory: cwd, timeoutMs, maxOutputBytes } = run;
  const options = {
    cwd,
    timeoutMs,
    maxOutputBytes,
    env: { ...run.env, ...inertGitEnvironment, LC_ALL: 'C' },
    ...(run.input !== undefined && { input: run.input }),
  };
  const listing = ['git', ...inertGitOptions, 'config', '--list', '--name-only', '-z'];
  const listed = await runCommand({ command: listing, ...options }, signal);
  if (listed.code !== 0) return listed;
  const overrides = programOverrides(listed.stdout.split('\0'));
  if (overrides === undefined)
    return { ...listed, code: 1, stderr: 'a filter or merge driver has a name that cannot be overridden' };
  const [subcommand, ...rest] = run.words;
  const plain = inertSubcommandOptions[subcommand] ?? [];
  const command = ['git', ...inertGitOptions, ...overrides, subcommand, ...plain, ...rest];
  if (!readingIndex.has(subcommand)) return await runCommand({ command, ...options }, signal);
  const index = await indexOf(options, signal);
  if (typeof index !== 'string') return index;
  if (!refreshing.has(subcommand)) return await runCommand({ command, ...options }, signal);
  return await withOwnIndex(index, options.env, (env) => runCommand({ command, ...options, env }, signal));
}

/** Subcommands that write refreshed time stamps to the index, even without optional locks. */
const refreshing: ReadonlySet<string> = new Set(['diff', 'status']);

/** Subcommands that open the index. */
const readingIndex: ReadonlySet<string> = new Set([...refreshing, 'diff-index', 'diff-files', 'ls-files']);

type Surroundings = Omit<Parameters<typeof runCommand>[0], 'command'>;

/** The path of the index, or the failure to read it: git would wait forever on a pipe in its place. */
async function indexOf(options: Surroundings, signal: AbortSignal): Promise<string | CommandResult> {
  const asking = ['git', ...inertGitOptions, 'rev-parse', '--path-format=absolute', '--git-path', 'index'];
  const asked = await runCommand({ command: asking, ...options }, signal);
  if (asked.code !== 0) return asked;
  const index = asked.stdout.replace(/\n$/, '');
  const stats = await stat(index).catch(() => undefined);
  if (stats === undefined || stats.isFile()) return index;
  return { ...asked, code: 128, stdout: '', stderr: 'the index of the repository is not a regular file' };
}

/** Runs on a copy of the index. */
async function withOwnIndex(
  source: string,
  env: NodeJS.ProcessEnv,
  run: (env: NodeJS.ProcessEnv) => Promise<CommandResult>,
): Promise<CommandResult> {
  const directory = await mkdtemp(join(tmpdir(), 'forerun-index-'));
  try {
    const index = join(directory, 'index');
    // A repository without a commit may have no index yet.
    const isFile = (await lstat(source).catch(() => undefined))?.isFile() === true;
    if (isFile) await copyFile(source, index);
    return await run(isFile ? { ...env, GIT_INDEX_FILE: index } : env);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Options that switch every configured filter off and replace every merge driver by git's own text merge; undefined
 * where a name does not fit on a command line.
 */
export function programOverrides(settings: readonly string[]): readonly string[] | undefined {
  const named = (pattern: RegExp) => new Set(settings.flatMap((key) => pattern.exec(key)?.[1] ?? []));
  const filters = named(/^filter\.(.+)\.[^.]+$/is);
  const drivers = named(/^merge\.(.+)\.[^.]+$/is);
  if ([...filters, ...drivers].some((name) => /[=\n\0]/.test(name))) return undefined;
  const off = ['clean=', 'smudge=', 'process=', 'required=false'];
  return [
    ...[...filters].flatMap((name) => off.flatMap((value) => ['-c', `filter.${name}.${value}`])),
    ...[...drivers].flatMap((name) => ['-c', `merge.${name}.driver=${textMerge}`]),
  ];
}

/** What git does by itself, as the command line of a driver. */
const textMerge = 'git merge-file --marker-size=%L %A %O %B';
