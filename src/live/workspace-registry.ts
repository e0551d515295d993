/**
 * Owns every workspace that is open in this process. Connections borrow them by `connect`.
 *
 * Invariants: one real root, one live workspace: two spellings of a directory share servers and answers. Only disposing
 * the registry ends servers.
 */

import { Channel } from '../base/channel.ts';
import type { Log } from '../base/log.ts';
import { recoverCommits } from '../overlay/commit/commit.ts';
import type { LanguageId } from '../servers/language.ts';
import { Governor } from '../servers/pool/governor.ts';
import { memoryBudgetBytes } from '../servers/pool/memory-budget.ts';
import type { IdleLimits } from '../servers/pool/replica.ts';
import type { WarmServers } from '../servers/pool/warm-servers.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import { type LocatedServer, ServerRegister } from '../servers/server-register.ts';
import type { SandboxTiers } from '../servers/server-site.ts';
import { stateDirectory } from '../storage/user-directories.ts';
import { noTrust, type TrustSource } from '../workspace/trust.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { ConnectionWorkspaces } from './connection-workspaces.ts';
import { LiveWorkspace } from './live-workspace.ts';
import { WorkspaceLocator, type WorkspaceLocatorOptions } from './workspace-locator.ts';
import { WorkspaceView } from './workspace-view.ts';

/** A server that another process keeps running, and that this one has connected to. */
export interface AttachedServer {
  readonly workspace: Workspace;
  readonly located: LocatedServer;
}

export interface WorkspaceRegistryOptions extends WorkspaceLocatorOptions {
  readonly definitions: readonly ServerDefinition[] | 'detect';
  /** How many replicas of one server may run at once; absent: depends on the number of cores. */
  readonly poolSize?: number;
  /** How long a replica may be idle before it is ended. */
  readonly idleLimits?: IdleLimits | undefined;
  /** Keeps all servers within a memory budget; absent: one with the budget below. */
  readonly governor?: Governor | undefined;
  /** The memory budget of all servers together; absent: a share of the machine's memory. */
  readonly memoryMegabytes?: number | undefined;
  /** How much of a large workspace a server loads at first; absent: parts. */
  readonly load?: 'parts' | 'everything' | undefined;
  /** The sandbox tiers that the user allows; absent: the default ones. */
  readonly tiers?: SandboxTiers | undefined;
  /** How long a server may take to load a workspace; after that its answers are used anyway. */
  readonly readyTimeoutMs?: number | undefined;
  /** Servers that a broker keeps running for several processes; absent: every server is our own. */
  readonly warm?: WarmServers | undefined;
  /** Which workspaces may run programs of their own; absent: none. Asked again before every server start. */
  readonly trust?: TrustSource;
  /** Where answers are cached, also for later processes; absent: nowhere. */
  readonly cacheDirectory?: string | undefined;
  readonly log: Log;
}

export class WorkspaceRegistry implements AsyncDisposable {
  readonly register: ServerRegister;
  readonly governor: Governor;
  readonly locator: WorkspaceLocator;
  /** Emits each workspace when it is opened for the first time. */
  readonly opened = new Channel<LiveWorkspace>();
  readonly #options: WorkspaceRegistryOptions;
  readonly #open = new Map<string, LiveWorkspace>();
  /** Recoveries of interrupted commits in progress, by root. */
  readonly #recovering = new Map<string, Promise<void>>();

  constructor(options: WorkspaceRegistryOptions) {
    this.#options = options;
    this.register = new ServerRegister(options);
    this.governor = options.governor ?? governorOf(options);
    this.locator = new WorkspaceLocator(options);
  }

  /** The open workspaces as one client sees them: the same servers, but its own unsaved text and active workspace. */
  connect(): ConnectionWorkspaces {
    return new ConnectionWorkspaces({
      locator: this.locator,
      register: this.register,
      user: {
        trust: this.trust,
        stateDirectory: stateDirectory(this.#options.env),
        env: this.#options.env,
        tiers: this.#options.tiers,
      },
      borrow: (workspace) => this.#opened(workspace),
    });
  }

  /** Which workspaces may run programs of their own. */
  get trust(): TrustSource {
    return this.#options.trust ?? noTrust;
  }

  get all(): readonly LiveWorkspace[] {
    return [...this.#open.values()];
  }

  /** Opens a workspace, or returns the open one; the view shows its disk. */
  async open(root: string, signal: AbortSignal): Promise<WorkspaceView> {
    signal.throwIfAborted();
    return WorkspaceView.ofDisk(await this.#opened(await this.locator.locate(root)));
  }

  /**
   * Connects to the servers that other processes keep running for the workspace of a directory, so that the first
   * request need not wait for that. Opens and starts nothing if there are none.
   */
  async attachToRunning(directory: string, signal: AbortSignal): Promise<readonly AttachedServer[]> {
    const inferred = await this.locator.inferWorkspace(directory, signal);
    if (!inferred) return [];
    const workspace = await this.locator.locate(inferred.root);
    const trust = this.trust.trustOf(workspace.root);
    const locate = (language: LanguageId) => this.register.locate(language, { workspace, trust }, signal);
    const running = (await this.#options.warm?.running({ workspace, trust }, locate)) ?? [];
    if (running.length === 0) return [];
    const live = await this.#opened(workspace);
    await Promise.all(running.map((located) => live.servers.makeReady(located, signal)));
    return running.map((located) => ({ workspace, located }));
  }

  /** Ends the servers of one workspace and forgets it; the next use of its root opens it again. */
  async close(root: string): Promise<void> {
    const live = this.#open.get(root);
    this.#open.delete(root);
    await live?.[Symbol.asyncDispose]();
  }

  /** Ends every server of this process. */
  async [Symbol.asyncDispose](): Promise<void> {
    const open = this.all;
    this.#open.clear();
    await Promise.all(open.map((live) => live[Symbol.asyncDispose]()));
  }

  async #opened(workspace: Workspace): Promise<LiveWorkspace> {
    const { root } = workspace;
    const known = this.#open.get(root);
    if (known) {
      await this.#recovering.get(root);
      return known;
    }
    const { register, governor } = this;
    const live = new LiveWorkspace({ ...this.#options, workspace, register, governor });
    this.#open.set(root, live);
    this.opened.emit(live);
    const recovery = this.#recover(workspace).finally(() => this.#recovering.delete(root));
    this.#recovering.set(root, recovery);
    await recovery;
    return live;
  }

  /** Recovers interrupted commits before any caller reads the files. */
  async #recover(workspace: Workspace): Promise<void> {
    const { env, log } = this.#options;
    const { root } = workspace;
    const recovered = await recoverCommits(workspace, { stateDirectory: stateDirectory(env) });
    const { finished, undone, kept, warnings } = recovered;
    if (finished > 0 || undone.length > 0 || kept.length > 0) {
      log.info('workspace.commits-recovered', { root, finished, undone, kept });
    }
    for (const warning of warnings) log.warning('workspace.commit-not-recovered', { root, warning });
  }
}

function governorOf({ memoryMegabytes, log }: WorkspaceRegistryOptions): Governor {
  return new Governor({ budgetBytes: memoryBudgetBytes(memoryMegabytes), log: log.child('servers') });
}
