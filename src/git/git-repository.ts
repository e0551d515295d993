/**
 * Reads a git repository with plumbing commands that execute nothing the repository configures.
 *
 * Invariant: no command here compares file contents, so no clean filter, text conversion or hook is involved; no
 * object is fetched; the index is not rewritten, but by a caller of `answer` that means to.
 */

import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onAbort } from '../base/deadline.ts';
import type { Environment } from '../base/environment.ts';
import { Failure } from '../base/failure.ts';
import { silentLog } from '../base/log.ts';
import { spawnChild } from '../process/child-process.ts';
import {
  type GitRun,
  inertGitCommand,
  inertGitEnvironment,
  inertGitOptions,
  leadsElsewhere,
  runGit,
  trustedGitCommand,
  trustedGitEnvironment,
} from '../process/git-command.ts';
import type { CommandResult } from '../process/run-command.ts';
import { environmentOutside } from '../workspace/outside-environment.ts';
import { extentOf } from '../workspace/supplied-path.ts';
import { BlobCache } from './blob-cache.ts';
import { GitSettings } from './git-settings.ts';

type Place = Pick<GitRun, 'directory' | 'env' | 'overrides' | 'index'>;

export class GitRepository {
  /** The top directory of its working tree. */
  readonly top: string;
  readonly #env: Record<string, string>;
  readonly #known: KnownParts | undefined;

  private constructor(top: string, env: Record<string, string>, known?: KnownParts) {
    this.top = top;
    this.#env = env;
    this.#known = known;
  }

  /** The repository whose working tree contains `directory`. */
  static async at(directory: string, env: Environment, signal: AbortSignal): Promise<GitRepository> {
    const own = gitEnvironment(directory, env);
    const found = await run(['rev-parse', '--show-toplevel'], { directory, env: own }, signal);
    return new GitRepository(found.replace(/\n$/, ''), own);
  }

  /** The same repository, which does not ask git anew for what is known of it; and its settings. */
  knowing({ index, settingsFiles }: KnownPlaces): {
    readonly git: GitRepository;
    readonly settings: GitSettings;
  } {
    const settings = new GitSettings({ directory: this.top, env: this.#env, files: settingsFiles });
    const known = { settings, index, blobs: new BlobCache() };
    return { git: new GitRepository(this.top, this.#env, known), settings };
  }

  /** A new repository without commits in the directory `place`, whose working tree is taken to be `top`. */
  static async apart(
    place: string,
    { top, env }: { readonly top: string; readonly env: Environment },
    signal: AbortSignal,
  ): Promise<GitRepository> {
    const own = gitEnvironment(top, env);
    await run(['init', '--quiet', '--template=', place], { directory: top, env: own }, signal);
    return new GitRepository(top, { ...own, GIT_DIR: join(place, '.git'), GIT_WORK_TREE: top });
  }

  /** The same repository, which writes new objects to `objects` and reads its own ones beside them. */
  async quarantined(objects: string, signal: AbortSignal): Promise<GitRepository> {
    const own = await this.text(['rev-parse', '--path-format=absolute', '--git-path', 'objects'], signal);
    const env = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: own.replace(/\n$/, '') };
    return new GitRepository(this.top, { ...this.#env, ...env });
  }

  /** The commit a revision names; undefined if it names none. */
  async commitOf(revision: string, signal: AbortSignal): Promise<string | undefined> {
    return parsedRevision(this, { revision: `${revision}^{commit}`, options: ['--verify'] }, signal);
  }

  /** Where this working tree keeps its index and its head. */
  async directory(signal: AbortSignal): Promise<string> {
    return (await this.text(['rev-parse', '--absolute-git-dir'], signal)).replace(/\n$/, '');
  }

  /** The directory that all working trees of this repository share. */
  async commonDirectory(signal: AbortSignal): Promise<string> {
    const words = ['rev-parse', '--path-format=absolute', '--git-common-dir'] as const;
    return (await this.text([...words], signal)).replace(/\n$/, '');
  }

  /** The contents of blobs by their ids. */
  async blobs(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>> {
    const known = this.#known?.blobs.found(ids) ?? new Map<string, Uint8Array>();
    const wanted = [...new Set(ids)].filter((id) => !known.has(id));
    if (wanted.length === 0) return known;
    const command = ['git', ...inertGitOptions, 'cat-file', '--batch', '--buffer'];
    const env = { ...this.#env, ...inertGitEnvironment };
    const read = readBatch(await this.#output({ command, env, input: `${wanted.join('\n')}\n` }, signal));
    this.#known?.blobs.keep(read);
    return known.size === 0 ? read : new Map([...known, ...read]);
  }

  /**
   * A blob as a file of the working tree has it. Line ends are converted; filters run in the environment of the user, if
   * one is given.
   */
  async checkedOut(
    { blob, path }: { readonly blob: string; readonly path: string },
    trusted: NodeJS.ProcessEnv | undefined,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const words = ['cat-file', '--filters', `--path=${path}`, blob] as const;
    if (trusted) {
      const env = trustedGitEnvironment(trusted);
      return this.#output({ command: trustedGitCommand([...words]), env, input: '' }, signal);
    }
    const run = {
      words: [...words] as [string, ...string[]],
      directory: this.top,
      env: this.#env,
      ...limits,
    };
    const command = await inertGitCommand(run, signal);
    if ('code' in command) throw new GitFailed(firstLine(command.stderr));
    return this.#output({ command, env: { ...this.#env, ...inertGitEnvironment }, input: '' }, signal);
  }

  /** Everything that a command writes, as bytes. */
  async #output(
    {
      command,
      env,
      input,
    }: { readonly command: readonly string[]; readonly env: NodeJS.ProcessEnv; readonly input: string },
    signal: AbortSignal,
  ): Promise<Buffer> {
    const child = spawnChild({ command, cwd: this.top, env, log: silentLog });
    const forget = onAbort(signal, () => void child.terminate(0));
    try {
      child.stdin.end(input);
      const output = await buffer(child.stdout);
      const { code } = await child.exited;
      signal.throwIfAborted();
      if (code !== 0) throw new GitFailed(firstLine(child.stderrTail) || `cat-file ended with code ${code}`);
      return output;
    } finally {
      forget();
    }
  }

  /** The last commit; the empty tree in a repository without one. */
  async head(signal: AbortSignal): Promise<string> {
    return (await this.commitOf('HEAD', signal)) ?? this.emptyTree(signal);
  }

  /** The id of the tree without files, which depends on the repository's hash function. */
  async emptyTree(signal: AbortSignal): Promise<string> {
    return (await this.text(['hash-object', '-t', 'tree', '--stdin'], signal)).trim();
  }

  /** What a plumbing command prints; fails if it does. */
  async text(words: GitRun['words'], signal: AbortSignal): Promise<string> {
    return run(words, { directory: this.top, env: this.#env, ...(await this.#parts(signal)) }, signal);
  }

  /** The answer of a plumbing command that says something by its exit code, or that writes objects to a quarantine. */
  async answer(
    words: GitRun['words'],
    { input, env }: { readonly input?: string; readonly env?: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<CommandResult> {
    const place = { directory: this.top, env: { ...this.#env, ...env }, ...(await this.#parts(signal)) };
    return runGit({ words, ...place, ...limits, ...(input !== undefined && { input }) }, signal);
  }

  async #parts(signal: AbortSignal): Promise<Pick<GitRun, 'overrides' | 'index'>> {
    if (!this.#known) return {};
    const { overrides } = await this.#known.settings.current(signal);
    return { overrides, index: this.#known.index };
  }
}

/** The full name of the reference that a revision is spelled by, such as `refs/heads/main`; undefined for others. */
export async function referenceOf(
  repository: GitRepository,
  revision: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const name = await parsedRevision(repository, { revision, options: ['--symbolic-full-name'] }, signal);
  return name === '' ? undefined : name;
}

/** A leading dash would be read as an option, whatever follows. */
async function parsedRevision(
  repository: GitRepository,
  { revision, options }: { readonly revision: string; readonly options: readonly string[] },
  signal: AbortSignal,
): Promise<string | undefined> {
  if (revision.startsWith('-')) return undefined;
  const words = ['rev-parse', '--quiet', ...options, revision] as const;
  const { code, stdout } = await repository.answer([...words], {}, signal);
  return code === 0 ? stdout.trim() : undefined;
}

/** Where parts of a repository are that is asked again and again. */
export interface KnownPlaces {
  readonly index: string;
  /** Files of the repository that may hold settings, whether they exist or not. */
  readonly settingsFiles: readonly string[];
}

interface KnownParts {
  readonly settings: GitSettings;
  readonly index: string;
  readonly blobs: BlobCache;
}

export class GitFailed extends Failure {
  readonly code = 'git/failed';
  readonly remedy = 'Use a directory in a git repository with at least one file, or give a patch.';

  constructor(said: string) {
    super(`git failed: ${said}`);
  }
}

const limits = { timeoutMs: 60_000, maxOutputBytes: 256 * 2 ** 20 };

/** Variables that point git to another repository are removed; the others lead to no file of this one. */
function gitEnvironment(directory: string, env: Environment): Record<string, string> {
  const outside = Object.entries(environmentOutside(env, extentOf(directory, env)));
  return Object.fromEntries(outside.filter(([name]) => !leadsElsewhere(name)));
}

async function run(words: GitRun['words'], place: Place, signal: AbortSignal): Promise<string> {
  const result = await runGit({ words, ...place, ...limits }, signal);
  if (result.timedOut) throw new GitFailed(`no answer within ${limits.timeoutMs / 1000} s`);
  if (result.code !== 0)
    throw new GitFailed(firstLine(result.stderr) || `${words[0]} ended with code ${result.code}`);
  return result.stdout;
}

/** `<id> blob <size>`, a line end, the bytes, and a line end; a missing object is `<id> missing`. */
function readBatch(output: Buffer): ReadonlyMap<string, Uint8Array> {
  const contents = new Map<string, Uint8Array>();
  for (let at = 0; at < output.length; ) {
    const lineEnd = output.indexOf(10, at);
    const [id = '', kind, size = ''] = output.toString('latin1', at, lineEnd).split(' ');
    if (kind === 'missing') throw new GitFailed(`object ${id} is not in this clone`);
    const start = lineEnd + 1;
    const end = start + Number(size);
    contents.set(id, output.subarray(start, end));
    at = end + 1;
  }
  return contents;
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
