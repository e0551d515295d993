/**
 * Every workspace this process has open, each with the Executor that lends its servers.
 *
 * Invariant: one real root, one workspace: two spellings of a directory share servers and answers.
 */
import { Channel } from '../base/channel.ts';
import { Failure } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { recoverCommits } from '../overlay/commit/commit.ts';
import type { LanguageId } from '../servers/language.ts';
import { Governor } from '../servers/pool/governor.ts';
import { memoryBudgetBytes } from '../servers/pool/memory-budget.ts';
import type { IdleLimits } from '../servers/pool/retirement.ts';
import type { WarmServers } from '../servers/pool/warm-servers.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import { type LocatedServer, ServerRegister } from '../servers/server-register.ts';
import { stateDirectory } from '../storage/user-directories.ts';
import type { RootBoundary } from '../workspace/root-boundary.ts';
import { noTrust, type TrustSource } from '../workspace/trust.ts';
import { PathOutsideWorkspace, Workspace } from '../workspace/workspace.ts';
import { Executor } from './executor.ts';
import { KnownAnswers } from './references/known-answers.ts';
import { type InferredRoot, inferProject, inferWorkspace } from './workspace-root.ts';

export interface OpenWorkspace {
  readonly workspace: Workspace;
  readonly executor: Executor;
  /** What its servers have said before. */
  readonly known: KnownAnswers;
}

/** A server that was running before anybody here asked for it. */
export interface TakenUp {
  readonly workspace: Workspace;
  readonly located: LocatedServer;
}

export interface OpenWorkspacesOptions {
  readonly definitions: readonly ServerDefinition[] | 'detect';
  /** How many replicas of one server may run at once; absent: what the cores can keep busy. */
  readonly poolSize?: number;
  /** How long a replica may go unused before it is ended. */
  readonly idleLimits?: IdleLimits;
  /** Keeps all servers within a memory budget; absent: one with the budget of the environment. */
  readonly governor?: Governor;
  /** How long a server may take to load a workspace before its answers are taken as they come. */
  readonly readyTimeoutMs?: number;
  /** Servers kept running for several processes; absent: every server is our own. */
  readonly warm?: WarmServers;
  /** Which workspaces may run programs of their own; absent: none. Asked again before every server start. */
  readonly trust?: TrustSource;
  /** Where answers are kept for the next question and the next process; absent: nowhere. */
  readonly cacheDirectory?: string | undefined;
  /** The only directories workspaces are opened in; absent: any directory. */
  readonly boundary?: RootBoundary | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

export class OpenWorkspaces implements AsyncDisposable {
  readonly register: ServerRegister;
  readonly governor: Governor;
  readonly #options: OpenWorkspacesOptions;
  readonly #open = new Map<string, OpenWorkspace>();
  /** Those nobody opened by name: they answer only while the folder they are belongs to another workspace. */
  readonly #byFolder = new Set<OpenWorkspace>();
  #active: OpenWorkspace | undefined;

  /** Says that a workspace was opened here for the first time. */
  readonly opened = new Channel<OpenWorkspace>();
  /** Whose servers are used; absent where they are our own. */
  readonly #lender: OpenWorkspaces | undefined;

  constructor(options: OpenWorkspacesOptions, lender?: OpenWorkspaces) {
    this.#options = options;
    this.#lender = lender;
    this.register = lender?.register ?? new ServerRegister(options);
    this.governor = lender?.governor ?? options.governor ?? governorOf(options);
  }

  /** What one of several connections works with: the same servers, but its own buffers and its own choice of workspace. */
  forConnection(): OpenWorkspaces {
    return new OpenWorkspaces(this.#options, this);
  }

  /** Where journals of commits and other files of ours lie. */
  get stateDirectory(): string {
    return stateDirectory(this.#options.env);
  }

  /** Which workspaces may run programs of their own. */
  get trust(): TrustSource {
    return this.#options.trust ?? noTrust;
  }

  /** The workspace most recently opened by name. */
  get active(): OpenWorkspace | undefined {
    return this.#active;
  }

  get all(): readonly OpenWorkspace[] {
    return [...this.#open.values()];
  }

  /**
   * The directory a client named, as a workspace that is not opened. Tools turn every directory they are given into a
   * Workspace here, so that the boundary holds for all of them.
   */
  locate(directory: string): Promise<Workspace> {
    const { boundary } = this.#options;
    return boundary ? boundary.open(directory) : Workspace.open(directory);
  }

  /** Fails where a path that is handed on to a server lies outside the boundary. */
  async requireServed(path: string): Promise<void> {
    await this.#options.boundary?.rootOf(path);
  }

  /** The workspace a file or directory belongs to by its surroundings; never one above the served root it lies in. */
  inferWorkspace(path: string, signal: AbortSignal): Promise<InferredRoot | undefined> {
    return this.#inferred(path, inferWorkspace(path, this.#options.env, signal));
  }

  /** The project that is built and tested with a file or directory, within the same bounds. */
  inferProject(path: string, signal: AbortSignal): Promise<InferredRoot | undefined> {
    return this.#inferred(path, inferProject(path, this.#options.env, signal));
  }

  async #inferred(
    path: string,
    search: Promise<InferredRoot | undefined>,
  ): Promise<InferredRoot | undefined> {
    const [served, inferred] = await Promise.all([this.#options.boundary?.rootOf(path), search]);
    if (!served) return inferred;
    return inferred && holds(served, (await Workspace.open(inferred.root)).root)
      ? inferred
      : { root: served.root };
  }

  async open(root: string, signal: AbortSignal): Promise<OpenWorkspace> {
    const opened = await this.#reach(root, signal);
    this.#byFolder.delete(opened);
    this.#active = opened;
    return opened;
  }

  /** Opens the workspace that one call names; the active one stays what it is, unless there is none. */
  async use(root: string, signal: AbortSignal): Promise<OpenWorkspace> {
    const opened = await this.#reach(root, signal);
    this.#byFolder.delete(opened);
    this.#active ??= opened;
    return opened;
  }

  /**
   * Takes up the servers that are kept running for the workspace a directory lies in, so that the first question about
   * it finds them connected. Where none are, nothing is opened and nothing is started.
   */
  async takeUpRunning(directory: string, signal: AbortSignal): Promise<readonly TakenUp[]> {
    const inferred = await this.inferWorkspace(directory, signal);
    if (!inferred) return [];
    const workspace = await this.locate(inferred.root);
    const trust = this.trust.trustOf(workspace.root);
    const locate = (language: LanguageId) => this.register.locate(language, { workspace, trust }, signal);
    const running = (await this.#options.warm?.running({ workspace, trust }, locate)) ?? [];
    if (running.length === 0) return [];
    const { executor } = await this.#reach(workspace.root, signal);
    await Promise.all(running.map((located) => executor.makeReady(located, signal)));
    return running.map((located) => ({ workspace, located }));
  }

  /** Opens a workspace without making it the active one. */
  async #reach(root: string, signal: AbortSignal): Promise<OpenWorkspace> {
    signal.throwIfAborted();
    const workspace = await this.locate(root);
    const known = this.#open.get(workspace.root);
    if (known) return known;
    if (this.#lender) return this.#enter(await this.#lender.#reach(root, signal));
    const opened = this.#take({
      workspace,
      executor: this.#executor(workspace),
      known: this.#known(workspace),
    });
    // A commit that a crash cut short is finished or undone before anybody reads the files.
    const { env, log } = this.#options;
    const { finished, undone, kept, warnings } = await recoverCommits(workspace, {
      stateDirectory: stateDirectory(env),
    });
    if (finished > 0 || undone.length > 0 || kept.length > 0) {
      log.info('workspace.commits-recovered', { root: workspace.root, finished, undone, kept });
    }
    for (const warning of warnings)
      log.warning('workspace.commit-not-recovered', { root: workspace.root, warning });
    return opened;
  }

  /** The open workspace a file lies in; failing that, the one its surroundings point to is opened. */
  async forFile(filePath: string, signal: AbortSignal): Promise<OpenWorkspace> {
    const holder = this.#innermost(filePath);
    if (holder) return holder;
    const folder = this.#folders.find((each) => holds(each, filePath));
    if (folder) {
      const opened = await this.#reach(folder.root, signal);
      this.#byFolder.add(opened);
      return opened;
    }
    await this.requireServed(filePath);
    if (this.#active) throw new PathOutsideWorkspace(filePath, this.#active.workspace.root);
    const inferred = await this.inferWorkspace(filePath, signal);
    if (!inferred) throw new NoWorkspace();
    return this.open(inferred.root, signal);
  }

  /** Ends the servers, unless they are somebody else's. */
  async [Symbol.asyncDispose](): Promise<void> {
    const opened = [...this.#open.values()];
    this.#open.clear();
    this.#active = undefined;
    if (this.#lender) return;
    await Promise.all(
      opened.flatMap(({ executor, known }) => [
        executor[Symbol.asyncDispose](),
        known[Symbol.asyncDispose](),
      ]),
    );
  }

  /** Two calls may have waited for the same workspace; the second finds what the first has taken. */
  #enter({ workspace, executor, known }: OpenWorkspace): OpenWorkspace {
    const taken = this.#open.get(workspace.root);
    return taken ?? this.#take({ workspace, executor: executor.withOwnBuffers(), known });
  }

  #take(opened: OpenWorkspace): OpenWorkspace {
    this.#open.set(opened.workspace.root, opened);
    this.opened.emit(opened);
    return opened;
  }

  #executor(workspace: Workspace): Executor {
    const { register, governor } = this;
    return new Executor({ ...this.#options, workspace, register, governor });
  }

  #known(workspace: Workspace): KnownAnswers {
    const { cacheDirectory, warm, env, log } = this.#options;
    const servers = warm ? 'shared' : 'own';
    return new KnownAnswers({ workspace, cacheDirectory, servers, env, log: log.child('servers') });
  }

  /** The folders added to any open workspace. */
  get #folders(): readonly Workspace[] {
    return this.all.flatMap(({ executor }) => executor.folders.added);
  }

  /** Of nested workspaces the inner one answers. */
  #innermost(filePath: string): OpenWorkspace | undefined {
    const added = new Set(this.#folders.map(({ root }) => root));
    const holders = [...this.#open.values()].filter(
      (open) =>
        holds(open.workspace, filePath) && (!this.#byFolder.has(open) || added.has(open.workspace.root)),
    );
    return holders.sort((a, b) => b.workspace.root.length - a.workspace.root.length)[0];
  }
}

export class NoWorkspace extends Failure {
  readonly code = 'servers/no-workspace';
  readonly remedy =
    'Call start_lsp with root_dir, or name a file inside a project directory. A home directory and directories that all users share are opened only by their name.';

  constructor() {
    super('LSP client not initialized; call start_lsp first');
  }
}

function governorOf({ env, log }: OpenWorkspacesOptions): Governor {
  return new Governor({ budgetBytes: memoryBudgetBytes(env, log), log: log.child('servers') });
}

function holds(workspace: Workspace, filePath: string): boolean {
  try {
    workspace.path(filePath);
    return true;
  } catch (thrown) {
    if (thrown instanceof PathOutsideWorkspace) return false;
    throw thrown;
  }
}
