/**
 * Runs git without side effects. By itself, git runs monitors, filters, converters, hooks and pagers from the
 * configuration of a repository, and a repository can arrive with its configuration.
 *
 * Invariants: nothing that a repository configures is executed, nothing is fetched and no user is asked. Nothing is written
 * to the repository but by the subcommands that exist to write: `update-index` and `commit`. Without its filter, a file with
 * a new time stamp may be reported as changed although its filtered content is the same; a change is never omitted.
 * `runTrustedGit` is the exception: it is for repositories whose user trusts them. `runFetch` is the only one that reads
 * from a remote.
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
    'commit.gpgSign=false',
    'gc.auto=0',
    'maintenance.auto=false',
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
  /** `programOverrides` of the current settings; absent: git is asked for them first. */
  readonly overrides?: readonly string[] | undefined;
  /** Where the index is; absent: git is asked. */
  readonly index?: string | undefined;
}

/** Runs a subcommand. An unreadable configuration is returned as git's failure to read it. */
export async function runGit(run: GitRun, signal: AbortSignal): Promise<CommandResult> {
  const options = { ...surroundingsOf(run), ...(run.input !== undefined && { input: run.input }) };
  const command = await inertGitCommand(run, signal);
  if ('code' in command) return command;
  const [subcommand] = run.words;
  if (!readingIndex.has(subcommand)) return await runCommand({ command, ...options }, signal);
  const index = await indexOf(run, options, signal);
  if (typeof index !== 'string') return index;
  if (!refreshing.has(subcommand)) return await runCommand({ command, ...options }, signal);
  return await withOwnIndex(index, options.env, (env) => runCommand({ command, ...options, env }, signal));
}

/** The whole command line of a subcommand, with all programs of the repository off; git's failure if there is none. */
export async function inertGitCommand(
  run: GitRun,
  signal: AbortSignal,
): Promise<readonly string[] | CommandResult> {
  const [subcommand, ...rest] = run.words;
  if (readingNames.has(subcommand)) return ['git', ...inertGitOptions, subcommand, ...rest];
  const plain = inertSubcommandOptions[subcommand] ?? [];
  if (run.overrides) return ['git', ...inertGitOptions, ...run.overrides, subcommand, ...plain, ...rest];
  const listing = ['git', ...inertGitOptions, 'config', '--list', '--name-only', '-z'];
  const listed = await runCommand({ command: listing, ...surroundingsOf(run) }, signal);
  if (listed.code !== 0) return listed;
  const overrides = programOverrides(listed.stdout.split('\0'));
  if (overrides === undefined)
    return { ...listed, code: 1, stderr: 'a filter or merge driver has a name that cannot be overridden' };
  return ['git', ...inertGitOptions, ...overrides, subcommand, ...plain, ...rest];
}

/**
 * Runs a subcommand as its user would in a terminal, but without questions: filters, hooks and signing of the repository
 * run. Only for a repository that its user trusts.
 */
export function runTrustedGit(run: GitRun, signal: AbortSignal): Promise<CommandResult> {
  const { directory: cwd, timeoutMs, maxOutputBytes, input } = run;
  const command = trustedGitCommand(run.words);
  const env = trustedGitEnvironment(run.env);
  const given = input === undefined ? {} : { input };
  return runCommand({ command, cwd, env, timeoutMs, maxOutputBytes, ...given }, signal);
}

/** How a remote may be reached. Transports that start a program of the caller's choice, such as `ext`, are left out. */
const fetchProtocols = 'file:git:http:https:ssh';

/** Fetches from a remote that the caller names. Programs of the repository stay off, and no user is asked. */
export async function runFetch(run: GitRun, signal: AbortSignal): Promise<CommandResult> {
  const command = await inertGitCommand(run, signal);
  if ('code' in command) return command;
  const options = surroundingsOf(run);
  const env = { ...options.env, GIT_ALLOW_PROTOCOL: fetchProtocols };
  return await runCommand({ command, ...options, env }, signal);
}

export function trustedGitCommand(words: GitRun['words']): readonly string[] {
  return ['git', '--no-pager', ...words];
}

/** Whether a variable may lead git to another repository or configuration; those that name an author do not. */
export function leadsElsewhere(variable: string): boolean {
  return variable.startsWith('GIT_') && !/^GIT_(?:AUTHOR|COMMITTER)_/.test(variable);
}

/** No editor is opened, and no password is asked for. */
export function trustedGitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !leadsElsewhere(name));
  return { ...Object.fromEntries(own), GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true' };
}

function surroundingsOf({ directory: cwd, timeoutMs, maxOutputBytes, env }: GitRun): Surroundings {
  return { cwd, timeoutMs, maxOutputBytes, env: { ...env, ...inertGitEnvironment, LC_ALL: 'C' } };
}

/**
 * Subcommands that read names of commits, trees and settings. They open no file of the working tree and run no filter, driver
 * or hook, so there is nothing to switch off.
 */
const readingNames: ReadonlySet<string> = new Set([
  'config',
  'ls-tree',
  'merge-base',
  'rev-list',
  'rev-parse',
]);

/** Subcommands that write refreshed time stamps to the index, even without optional locks. */
const refreshing: ReadonlySet<string> = new Set(['diff', 'status']);

/** Subcommands that open the index. */
const readingIndex: ReadonlySet<string> = new Set([
  ...refreshing,
  'diff-index',
  'diff-files',
  'ls-files',
  'check-ignore',
  'update-index',
  'commit',
]);

type Surroundings = Omit<Parameters<typeof runCommand>[0], 'command'>;

/** The path of the index, or the failure to read it: git would wait forever on a pipe in its place. */
async function indexOf(
  { index: known }: GitRun,
  options: Surroundings,
  signal: AbortSignal,
): Promise<string | CommandResult> {
  const asking = ['git', ...inertGitOptions, 'rev-parse', '--path-format=absolute', '--git-path', 'index'];
  const asked =
    known === undefined
      ? await runCommand({ command: asking, ...options }, signal)
      : { code: 0, stdout: known, stderr: '', timedOut: false, truncated: false };
  if (asked.code !== 0) return asked;
  const index = known ?? asked.stdout.replace(/\n$/, '');
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
 * Options that switch every configured filter and hook off and replace every merge driver by git's own text merge;
 * undefined where a name does not fit on a command line.
 */
export function programOverrides(settings: readonly string[]): readonly string[] | undefined {
  const named = (pattern: RegExp) => new Set(settings.flatMap((key) => pattern.exec(key)?.[1] ?? []));
  const filters = named(/^filter\.(.+)\.[^.]+$/is);
  const drivers = named(/^merge\.(.+)\.[^.]+$/is);
  const hooks = named(/^hook\.(.+)\.[^.]+$/is);
  if ([...filters, ...drivers, ...hooks].some((name) => /[=\n\0]/.test(name))) return undefined;
  const off = ['clean=', 'smudge=', 'process=', 'required=false'];
  return [
    ...[...filters].flatMap((name) => off.flatMap((value) => ['-c', `filter.${name}.${value}`])),
    ...[...drivers].flatMap((name) => ['-c', `merge.${name}.driver=${textMerge}`]),
    ...[...hooks].flatMap((name) => ['-c', `hook.${name}.command=true`]),
  ];
}

/** What git does by itself, as the command line of a driver. */
const textMerge = 'git merge-file --marker-size=%L %A %O %B';
