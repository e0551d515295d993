/**
 * The state of the repository as pages show it, read again when something may have changed it.
 *
 * Invariants: one reading at a time; what happens during one leads to another. A page is sent every state that was read.
 */
import { messageOf } from '../../base/failure.ts';
import { currentBranch } from '../../git/branch.ts';
import { type ChangeList, changeList, type ListedChange } from '../../git/change-list.ts';
import { GitIndex } from '../../git/git-index.ts';
import { GitFailed, GitRepository } from '../../git/git-repository.ts';
import { watchRepository } from '../../git/git-watch.ts';
import type { Buffers } from '../buffers.ts';
import type { EditorContext } from '../editor-context.ts';
import type { GitStatus } from '../protocol/git.ts';

export interface OpenRepository {
  readonly repository: GitRepository;
  readonly index: GitIndex;
}

/** Entries sent of one list. */
const sentEntries = 2_000;

/** Several changes that follow each other are read once. */
const pauseMs = 120;

/** A reading that fails in a repository that was read before is tried again this often, after a longer pause. */
const mostRetries = 5;
const retryMs = 1_000;

export class GitFollower implements AsyncDisposable {
  readonly #context: EditorContext;
  readonly #buffers: Buffers;
  readonly #subscriptions: readonly Disposable[];
  #status: GitStatus = { kind: 'unread' };
  #opened: (OpenRepository & { readonly watch: Disposable }) | undefined;
  #revision = 0;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The reading that runs; one that is asked for meanwhile begins after it. */
  #reading: Promise<GitStatus> | undefined;
  #next: Promise<GitStatus> | undefined;

  constructor(context: EditorContext, buffers: Buffers) {
    this.#context = context;
    this.#buffers = buffers;
    this.#subscriptions = [
      // Typing into a file that is unsaved already changes no list.
      buffers.changed.subscribe(({ kind }) => {
        if (kind === 'state' || kind === 'closed') this.#later();
      }),
      context.live.disk.changes.subscribe(() => this.#later()),
    ];
    this.#later();
  }

  get status(): GitStatus {
    return this.#status;
  }

  /** Reads everything that happened before the call. */
  read(): Promise<GitStatus> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#reading === undefined) {
      this.#reading = this.#read().finally(() => {
        this.#reading = undefined;
      });
      return this.#reading;
    }
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined;
      return this.read();
    });
    return this.#next;
  }

  /** The repository of the workspace; fails if there is none. */
  async repository(): Promise<OpenRepository> {
    this.#opened ??= await this.#open();
    return this.#opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    await this.#reading;
    await this.#next;
    this.#opened?.watch[Symbol.dispose]();
  }

  #later(afterMs = pauseMs): void {
    const { signal } = this.#context;
    if (signal.aborted || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.read(), afterMs);
  }

  async #open(): Promise<OpenRepository & { readonly watch: Disposable }> {
    const { live, forerun, signal, log } = this.#context;
    const repository = await GitRepository.at(live.workspace.root, forerun.env, signal);
    const index = new GitIndex({ repository, env: forerun.env, trust: () => live.trust });
    const watch = watchRepository(repository, { onChange: () => this.#later(), log });
    return { repository, index, watch };
  }

  /** Never fails: a state that cannot be read is a state. */
  async #read(): Promise<GitStatus> {
    const { signal, log, publish } = this.#context;
    try {
      this.#status = await this.#statusNow();
      this.#failures = 0;
    } catch (thrown) {
      if (signal.aborted) return this.#status;
      if (this.#opened || !(thrown instanceof GitFailed)) {
        log.warning('git.unread', { code: 'editor/git-unread', error: messageOf(thrown) });
      }
      this.#failures += 1;
      if (this.#opened && this.#failures <= mostRetries) this.#later(retryMs);
      this.#status = { kind: 'none', reason: messageOf(thrown) };
    }
    publish({ kind: 'git.changed', status: this.#status });
    return this.#status;
  }

  async #statusNow(): Promise<GitStatus> {
    const { live, signal } = this.#context;
    const { repository, index } = await this.repository();
    const files = { workspace: live.workspace, shown: this.#buffers.overlay() };
    const [list, branch, head, hooks] = await Promise.all([
      changeList(repository, files, signal),
      currentBranch(repository, signal),
      repository.commitOf('HEAD', signal),
      index.hooks(signal),
    ]);
    this.#revision += 1;
    return {
      kind: 'repository',
      revision: this.#revision,
      ...(branch !== undefined && { branch }),
      ...(head !== undefined && { head }),
      ...sentLists(list),
      stagedOutside: list.stagedOutside,
      hooks: [...hooks],
    };
  }
}

function sentLists({
  staged,
  unstaged,
}: ChangeList): Pick<GitStatus & { kind: 'repository' }, 'staged' | 'unstaged'> {
  const sent = (changes: readonly ListedChange[]) => ({
    count: changes.length,
    entries: changes.slice(0, sentEntries).map(({ path, kind }) => ({ path, kind })),
  });
  return { staged: sent(staged), unstaged: sent(unstaged) };
}
