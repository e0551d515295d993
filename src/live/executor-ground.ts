/**
 * What the executors of one workspace hold in common, whichever connection they serve.
 *
 * Invariant: one disk, one watcher and one set of running servers to a workspace, however many connections use it.
 */
import { Channel } from '../base/channel.ts';
import type { ServerTransport, WorkspaceFolder } from '../lsp/server-options.ts';
import type { Governor } from '../servers/pool/governor.ts';
import type { Replica } from '../servers/pool/replica.ts';
import type { ServerEvent } from '../servers/pool/server-event.ts';
import type { ServerPool } from '../servers/pool/server-pool.ts';
import type { FileDiagnostics } from '../servers/proof.ts';
import type { ScopeRequest } from '../servers/scope/scope-request.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import type { LocatedServer } from '../servers/server-register.ts';
import { ProjectConfigs } from '../servers/typescript/project-configs.ts';
import type { Way } from '../servers/way.ts';
import { type Environment, stateDirectory } from '../storage/user-directories.ts';
import { DiskState } from '../workspace/disk-state.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import type { Trust } from '../workspace/trust.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { BaselineDiagnostics } from './baseline-diagnostics.ts';
import { CommitHistory } from './commit-history.ts';
import type { DiskWatch } from './disk-watch.ts';
import { WorkspaceFolders } from './workspace-folders.ts';
import { WorkspaceReach } from './workspace-reach.ts';

export type TcpTransport = ServerTransport & { readonly kind: 'tcp' };

/** A server somebody else started. */
export interface Connection {
  readonly transport: TcpTransport;
  readonly located: LocatedServer;
}

/** What a pool starts its servers from. */
export interface PoolStart {
  readonly located: LocatedServer;
  readonly trust: Trust;
  readonly folders: readonly WorkspaceFolder[];
}

export class ExecutorGround {
  readonly disk: DiskState;
  readonly reach: WorkspaceReach;
  readonly configs: ProjectConfigs;
  readonly history: CommitHistory;
  readonly folders: WorkspaceFolders;
  /** Shared with the other workspaces of this process. */
  readonly governor: Governor;
  readonly life = new AbortController();
  readonly pools = new Map<string, ServerPool>();
  /** What each pool starts, by the key of the pool. */
  readonly locations = new Map<string, PoolStart>();
  readonly baselines = new Map<string, BaselineDiagnostics>();
  readonly connections = new Map<string, Connection>();
  /** What the servers say of the disk as it is, whoever asked. */
  readonly measured = new Channel<readonly FileDiagnostics[]>();
  readonly serverEvents = new Channel<ServerEvent>();
  /** Servers that have come up, before anybody holds them. */
  readonly started = new Channel<Replica>();
  /** Servers on their way out; closing the workspace waits for them. */
  readonly endings = new Set<Promise<void>>();
  watch: DiskWatch | undefined;
  /** The places a caller has chosen for a server to load, by its name. */
  readonly #scopes = new Map<string, readonly WorkspacePath[]>();
  #isHeard = false;

  constructor(workspace: Workspace, governor: Governor, env: Environment) {
    this.governor = governor;
    this.disk = new DiskState(workspace);
    this.reach = new WorkspaceReach(workspace, this.disk);
    this.configs = new ProjectConfigs(workspace, this.disk);
    this.history = new CommitHistory(this.disk, stateDirectory(env));
    this.folders = new WorkspaceFolders(workspace, this.pools);
  }

  /** How much of the workspace a new server is to load. */
  scopeOf(definition: ServerDefinition): ScopeRequest {
    const survey = () => this.reach.survey(definition, this.life.signal);
    return { survey, places: this.#scopes.get(definition.name) ?? [] };
  }

  /** What is known of the unedited workspace by one server, shown it in one way. */
  baseline({ name }: ServerDefinition, way: Way): BaselineDiagnostics {
    const key = `${name}/${way}`;
    const known = this.baselines.get(key);
    if (known) return known;
    const baseline = new BaselineDiagnostics(this.disk);
    this.baselines.set(key, baseline);
    return baseline;
  }

  setScope(server: string, places: readonly WorkspacePath[]): 'changed' | 'same' {
    const before = this.#scopes.get(server) ?? [];
    this.#scopes.set(server, places);
    return before.join('\0') === places.join('\0') ? 'same' : 'changed';
  }

  /** The first listener hears the disk; a change is passed on to the servers once, not once per connection. */
  hearDisk(listener: (events: readonly FileEvent[]) => void): void {
    if (this.#isHeard) return;
    this.#isHeard = true;
    this.disk.changes.subscribe(listener);
  }
}
