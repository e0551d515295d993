/**
 * Reads objects of a repository by their ids, through one git process that stays.
 *
 * Invariants: nothing that the repository configures is executed, and nothing is fetched. Answers come in the order of the
 * questions. If the process ends, every question that is open fails, and the next one starts another. Disposing the reader
 * ends the process.
 */
import { abortable } from '../base/deadline.ts';
import { silentLog } from '../base/log.ts';
import { type ChildHandle, spawnChild } from '../process/child-process.ts';
import { inertGitEnvironment, inertGitOptions } from '../process/git-command.ts';
import { GitFailed } from './git-repository.ts';
import { isObjectId } from './object-id.ts';

export interface GitObject {
  readonly kind: 'commit' | 'tree' | 'blob' | 'tag';
  readonly bytes: Uint8Array;
}

interface Question {
  readonly resolve: (found: GitObject | undefined) => void;
  readonly reject: (why: unknown) => void;
}

export class ObjectReader implements AsyncDisposable {
  readonly #directory: string;
  readonly #env: NodeJS.ProcessEnv;
  #process: BatchProcess | undefined;

  /** `env` leads git to the repository. */
  constructor(directory: string, env: NodeJS.ProcessEnv) {
    this.#directory = directory;
    this.#env = env;
  }

  /** The objects of these full ids, in their order; undefined for one that is not here. */
  async read(ids: readonly string[], signal: AbortSignal): Promise<readonly (GitObject | undefined)[]> {
    signal.throwIfAborted();
    const unclear = ids.find((id) => !isObjectId(id));
    if (unclear !== undefined) throw new GitFailed(`${JSON.stringify(unclear)} is not the id of an object`);
    if (ids.length === 0) return [];
    if (this.#process?.hasEnded !== false) this.#process = new BatchProcess(this.#directory, this.#env);
    return abortable(this.#process.ask(ids), signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.end();
  }
}

/** `git cat-file --batch`: for each line with an id, a header with kind and size, the bytes, and a line end. */
class BatchProcess {
  hasEnded = false;
  readonly #child: ChildHandle;
  readonly #open: Question[] = [];
  /** Output that is not read yet. */
  #chunks: Buffer[] = [];
  #length = 0;
  /** The object whose bytes come next. */
  #header: { readonly kind: GitObject['kind']; readonly size: number } | undefined;

  constructor(directory: string, env: NodeJS.ProcessEnv) {
    this.#child = spawnChild({
      command: ['git', ...inertGitOptions, 'cat-file', '--batch'],
      cwd: directory,
      env: { ...env, ...inertGitEnvironment, LC_ALL: 'C' },
      log: silentLog,
    });
    this.#child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#child.exited.then(
      () => this.#fail(this.#child.stderrTail.trim().split('\n', 1)[0] || 'cat-file has ended'),
      () => undefined,
    );
  }

  ask(ids: readonly string[]): Promise<readonly (GitObject | undefined)[]> {
    const answers = ids.map(
      () => new Promise<GitObject | undefined>((resolve, reject) => this.#open.push({ resolve, reject })),
    );
    this.#child.stdin.write(`${ids.join('\n')}\n`);
    return Promise.all(answers);
  }

  async end(): Promise<void> {
    await this.#child.terminate(0);
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    try {
      while (this.#header ? this.#readBytes(this.#header) : this.#readHeader()) {
        // Each step has read a whole header or a whole object.
      }
    } catch (thrown) {
      this.#fail(
        thrown instanceof GitFailed ? thrown.message : 'cat-file gave an answer that cannot be read',
      );
      void this.end();
    }
  }

  /** Whether a whole header was there. */
  #readHeader(): boolean {
    const output = this.#whole();
    const lineEnd = output.indexOf(10);
    if (lineEnd < 0) return false;
    const line = output.toString('latin1', 0, lineEnd);
    this.#drop(lineEnd + 1);
    const [, kind, size] = /^[0-9a-f]+ (commit|tree|blob|tag) (\d+)$/.exec(line) ?? [];
    if (kind === 'commit' || kind === 'tree' || kind === 'blob' || kind === 'tag')
      this.#header = { kind, size: Number(size) };
    else if (/^[0-9a-f]+ missing$/.test(line)) this.#open.shift()?.resolve(undefined);
    else throw new GitFailed(`cat-file answered ${JSON.stringify(line.slice(0, 100))}`);
    return true;
  }

  /** Whether all bytes of the object were there. They are copied: a chunk may hold many objects. */
  #readBytes({ kind, size }: { readonly kind: GitObject['kind']; readonly size: number }): boolean {
    if (this.#length < size + 1) return false;
    const bytes = Uint8Array.from(this.#whole().subarray(0, size));
    this.#drop(size + 1);
    this.#header = undefined;
    this.#open.shift()?.resolve({ kind, bytes });
    return true;
  }

  #whole(): Buffer {
    const [first] = this.#chunks;
    if (first && this.#chunks.length === 1) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #drop(count: number): void {
    this.#chunks = [this.#whole().subarray(count)];
    this.#length -= count;
  }

  #fail(why: string): void {
    this.hasEnded = true;
    for (const { reject } of this.#open.splice(0)) reject(new GitFailed(why));
  }
}
