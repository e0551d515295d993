/**
 * Owns everything of one open root: its disk state and watcher, servers, baselines, import graph and commits.
 *
 * Invariants: one live workspace per root, however many connections use it. Connections see it through views; only
 * its owner disposes it, which ends its servers.
 */
import { Overlay } from '../overlay/overlay.ts';
import type { LanguageId } from '../servers/language.ts';
import { stateDirectory } from '../storage/user-directories.ts';
import { Baseline } from '../workspace/baseline.ts';
import { DiskState } from '../workspace/disk-state.ts';
import { noTrust, type Trust, type TrustSource } from '../workspace/trust.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { BaselineStore } from './baseline-store.ts';
import { CommitHistory } from './commit-history.ts';
import { DiskWatch, WorkspaceFolders } from './disk-watch.ts';
import { ReachService } from './reach-service.ts';
import { CachedAnswers } from './references/cached-answers.ts';
import { ServerLender, type ServerLenderOptions } from './server-lender.ts';

export interface LiveWorkspaceOptions extends ServerLenderOptions {
  readonly workspace: Workspace;
  /** Which workspaces may run their own programs; absent: none. */
  readonly trust?: TrustSource;
  /** Where answers are cached, also for later processes; absent: nowhere. */
  readonly cacheDirectory?: string | undefined;
}

export class LiveWorkspace implements AsyncDisposable {
  readonly workspace: Workspace;
  readonly disk: DiskState;
  /** The directories its servers work on. */
  readonly folders: WorkspaceFolders;
  /** Every write to the files of this workspace, and every undo, goes through here. */
  readonly commits: CommitHistory;
  readonly servers: ServerLender;
  /** The diagnostics of the unedited files. */
  readonly baselines: BaselineStore;
  /** Which files a change can reach, and what the sources import and declare. */
  readonly reach: ReachService;
  /** Cached answers of its servers that are still valid. */
  readonly cachedAnswers: CachedAnswers;
  readonly #trust: TrustSource;
  readonly #watch: DiskWatch;
  /** Aborted when the workspace is closed; ends background work on it. */
  readonly #closing = new AbortController();

  constructor(options: LiveWorkspaceOptions) {
    const { workspace, cacheDirectory, warm, env, trust = noTrust } = options;
    const log = options.log.child('servers');
    const { signal } = this.#closing;
    this.#trust = trust;
    this.workspace = workspace;
    this.disk = new DiskState(workspace);
    this.reach = new ReachService(workspace, this.disk);
    this.commits = new CommitHistory(this.disk, stateDirectory(env));
    this.folders = new WorkspaceFolders(workspace, () => this.servers.pools);
    this.#watch = new DiskWatch({ disk: this.disk, folders: this.folders, signal }, log);
    this.servers = new ServerLender(
      { ...options, log },
      {
        disk: this.disk,
        folders: this.folders,
        watch: this.#watch,
        trust: () => this.trust,
        survey: (definition) => this.reach.survey(definition, signal),
      },
    );
    this.baselines = new BaselineStore(this.disk, this.servers);
    this.cachedAnswers = new CachedAnswers(
      { workspace, cacheDirectory, servers: warm ? 'shared' : 'own', env, log },
      { servers: this.servers, folders: this.folders },
    );
  }

  /**
   * Whether programs supplied by the workspace or an added folder may run, as of now. A program that uses several
   * directories is limited by the untrusted one.
   */
  get trust(): Trust {
    const isTrusted = ({ root }: Workspace): boolean => this.#trust.trustOf(root) === 'trusted';
    return [this.workspace, ...this.folders.added].every(isTrusted) ? 'trusted' : 'untrusted';
  }

  /** The language by which a file is routed to its server. */
  languageFor(path: WorkspacePath): LanguageId {
    return this.servers.register.languageFor(path);
  }

  /** An overlay without changes, on the disk as of the first read of each file. */
  emptyOverlay(): Overlay {
    return Overlay.on(new Baseline(this.disk.source));
  }

  /** Reads every change that was made on disk before the call. */
  syncWithDisk(signal: AbortSignal): Promise<void> {
    return this.#watch.syncWithDisk(signal);
  }

  /** Whether the disk was never scanned, or the last scan failed. */
  get isDiskStateUnknown(): boolean {
    return this.#watch.isDiskStateUnknown;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('the workspace was closed'));
    await this.servers[Symbol.asyncDispose]();
    await Promise.all([
      this.#watch[Symbol.asyncDispose](),
      this.folders[Symbol.asyncDispose](),
      this.cachedAnswers[Symbol.asyncDispose](),
    ]);
  }
}
