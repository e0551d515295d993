/**
 * Reads a git repository with plumbing commands that execute nothing the repository configures.
 *
 * Invariant: no command here compares file contents, so no clean filter, text conversion or hook is involved; no
 * object is fetched; the index is not rewritten, but by a caller of `answer` that means to. Where the repository lies is
 * asked once, when it is opened; which programs it configures is looked at for each command (`GitSettings`).
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

interface Parts {
  readonly top: string;
  readonly gitDirectory: string;
  readonly commonDirectory: string;
  readonly env: Record<string, string>;
  readonly blobs?: BlobCache;
}

export class GitRepository {
  /** The top directory of its working tree. */
  readonly top: string;
  /** Where this working tree keeps its index and its head. */
  readonly gitDirectory: string;
  /** The directory that all working trees of this repository share. */
  readonly commonDirectory: string;
  readonly settings: GitSettings;
  readonly #env: Record<string, string>;
  readonly #blobs: BlobCache | undefined;

  private constructor({ top, gitDirectory, commonDirectory, env, blobs }: Parts) {
    this.top = top;
    this.gitDirectory = gitDirectory;
    this.commonDirectory = commonDirectory;
    this.#env = env;
    this.#blobs = blobs;
    // The entry that leads git here may become another one, with settings of its own.
    const entry = join(top, '.git');
    const files = [entry, join(commonDirectory, 'config'), join(gitDirectory, 'config.worktree')];
    this.settings = new GitSettings({ directory: top, env, files });
  }

  /** The repository whose working tree contains `directory`. */
  static async at(directory: string, env: Environment, signal: AbortSignal): Promise<GitRepository> {
    const own = gitEnvironment(directory, env);
    const words = ['--show-toplevel', '--absolute-git-dir', '--git-common-dir'] as const;
    const [top, gitDirectory, commonDirectory] = await parsedPaths(words, { directory, env: own }, signal);
    return new GitRepository({ top, gitDirectory, commonDirectory, env: own });
  }

  /** A new repository without commits in the directory `place`, whose working tree is taken to be `top`. */
  static async apart(
    place: string,
    { top, env }: { readonly top: string; readonly env: Environment },
    signal: AbortSignal,
  ): Promise<GitRepository> {
    const own = gitEnvironment(top, env);
    await run(['init', '--quiet', '--template=', place], { directory: top, env: own }, signal);
    const directory = join(place, '.git');
    const elsewhere = { ...own, GIT_DIR: directory, GIT_WORK_TREE: top };
    return new GitRepository({ top, gitDirectory: directory, commonDirectory: directory, env: elsewhere });
  }

  /** The same repository, which writes new objects to `objects` and reads its own ones beside them. */
  quarantined(objects: string): GitRepository {
    const own = join(this.commonDirectory, 'objects');
    const env = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: own };
    return new GitRepository({ ...this.#parts(), env: { ...this.#env, ...env } });
  }

  /** The same repository, which keeps the contents of the blobs it has read. */
  keepingBlobs(): GitRepository {
    return new GitRepository({ ...this.#parts(), blobs: new BlobCache() });
  }

  /** The commit a revision names; undefined if it names none. */
  async commitOf(revision: string, signal: AbortSignal): Promise<string | undefined> {
    return parsedRevision(this, { revision: `${revision}^{commit}`, options: ['--verify'] }, signal);
  }

  /** The contents of blobs by their ids. */
  async blobs(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>> {
    const known = this.#blobs?.found(ids) ?? new Map<string, Uint8Array>();
    const wanted = [...new Set(ids)].filter((id) => !known.has(id));
    if (wanted.length === 0) return known;
    const command = ['git', ...inertGitOptions, 'cat-file', '--batch', '--buffer'];
    const env = { ...this.#env, ...inertGitEnvironment };
    const read = readBatch(await this.#output({ command, env, input: `${wanted.join('\n')}\n` }, signal));
    this.#blobs?.keep(read);
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
    const run = { words: [...words] as [string, ...string[]], ...(await this.#place(signal)), ...limits };
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
    return (await this.commitOf('HEAD', signal)) ?? emptyTree(this, signal);
  }

  /** What a plumbing command prints; fails if it does. */
  async text(words: GitRun['words'], signal: AbortSignal): Promise<string> {
    return run(words, await this.#place(signal), signal);
  }

  /** The answer of a plumbing command that says something by its exit code, or that writes objects to a quarantine. */
  async answer(
    words: GitRun['words'],
    { input, env }: { readonly input?: string; readonly env?: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<CommandResult> {
    const place = await this.#place(signal);
    const given = { env: { ...place.env, ...env }, ...(input !== undefined && { input }) };
    return runGit({ words, ...place, ...given, ...limits }, signal);
  }

  async #place(signal: AbortSignal): Promise<Place> {
    const { overrides } = await this.settings.current(signal);
    return { directory: this.top, env: this.#env, overrides, index: join(this.gitDirectory, 'index') };
  }

  #parts(): Parts {
    const { top, gitDirectory, commonDirectory } = this;
    const blobs = this.#blobs;
    return { top, gitDirectory, commonDirectory, env: this.#env, ...(blobs && { blobs }) };
  }
}

/** Asked at once; a path with a line end in it has to be asked for alone. */
async function parsedPaths<Words extends readonly string[]>(
  words: Words,
  place: Place,
  signal: AbortSignal,
): Promise<{ readonly [K in keyof Words]: string }> {
  const ask = async (...asked: readonly string[]): Promise<string> =>
    (await run(['rev-parse', '--path-format=absolute', ...asked], place, signal)).replace(/\n$/, '');
  const lines = (await ask(...words)).split('\n');
  const found = lines.length === words.length ? lines : await Promise.all(words.map((word) => ask(word)));
  return found as { readonly [K in keyof Words]: string };
}

/** The id of the tree without files, which depends on the repository's hash function. */
export async function emptyTree(repository: GitRepository, signal: AbortSignal): Promise<string> {
  return (await repository.text(['hash-object', '-t', 'tree', '--stdin'], signal)).trim();
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
