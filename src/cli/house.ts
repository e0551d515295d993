/**
 * The long-lived objects behind every door: open workspaces and sessions, built here and disposed here.
 *
 * Invariant: disposing the house ends every server it started and writes every record it took.
 */
import { join } from 'node:path';
import type { Log } from '../base/log.ts';
import type { ConnectionWorkspaces } from '../live/connection-workspaces.ts';
import { WorkspaceRegistry } from '../live/workspace-registry.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import { Sessions } from '../session/sessions.ts';
import { AuditLog } from '../storage/audit-log.ts';
import { stateDirectory } from '../storage/user-directories.ts';
import type { RootBoundary } from '../workspace/root-boundary.ts';
import { cacheDirectoryOf } from './cache-place.ts';
import { type DaemonChoice, daemonChoiceOf } from './daemon/daemon-choice.ts';
import { warmServersOf } from './daemon/warm-choice.ts';
import { type TrustGrant, userTrust } from './trust/user-trust.ts';

export interface HouseOptions {
  readonly definitions: readonly ServerDefinition[] | 'detect';
  readonly log: Log;
  /** `kept` sessions survive a restart; `memory` is for commands that end with their work. */
  readonly sessions: 'kept' | 'memory';
  /** Whether servers are shared with other processes of this machine; absent: as the environment says. */
  readonly daemon?: DaemonChoice;
  /** Directories trusted for this process by a flag; absent: none besides what the user has stored. */
  readonly trust?: TrustGrant;
  /** What servers and searches get from this process; absent: its whole environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** Where calls are recorded; absent: nowhere. */
  readonly auditPath?: string;
  /** The only directories workspaces are opened in; absent: any directory. */
  readonly boundary?: RootBoundary | undefined;
}

export class House implements AsyncDisposable {
  readonly log: Log;
  /** Owns the open workspaces and their servers. */
  readonly registry: WorkspaceRegistry;
  /** What the commands of this process work with. */
  readonly workspaces: ConnectionWorkspaces;
  readonly sessions: Sessions;
  /** The sessions of each connection there is now. */
  readonly connected = new Set<Sessions>();
  readonly audit: AuditLog | undefined;

  constructor(options: HouseOptions) {
    const { definitions, log } = options;
    this.log = log;
    const cacheDirectory = cacheDirectoryOf(process.env);
    this.registry = new WorkspaceRegistry({
      definitions,
      cacheDirectory,
      boundary: options.boundary,
      warm: warmServersOf(options.daemon ?? daemonChoiceOf(process.env), { env: process.env, log }),
      trust: userTrust(process.env, log, options.trust ?? []),
      env: options.env ?? process.env,
      log,
    });
    this.workspaces = this.registry.connect();
    this.sessions = sessionsOf(this.workspaces, options);
    const { auditPath: path } = options;
    this.audit = path === undefined ? undefined : new AuditLog({ path, log: log.child('audit-log') });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.registry[Symbol.asyncDispose](), this.audit?.[Symbol.asyncDispose]()]);
  }
}

/** The sessions of one connection, on the workspaces it works with. */
export function sessionsOf(
  workspaces: ConnectionWorkspaces,
  { sessions, log }: Pick<HouseOptions, 'sessions' | 'log'>,
): Sessions {
  const archive =
    sessions === 'kept' ? { archiveDirectory: join(stateDirectory(process.env), 'sessions') } : {};
  return new Sessions({ workspaces, log, ...archive });
}
