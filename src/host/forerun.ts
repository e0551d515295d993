/**
 * The long-lived objects of one process: open workspaces, its connections and sessions, the audit log and the status
 * that `forerun status` reads.
 *
 * Invariant: disposing it ends every connection and every server it started, and writes all pending audit records.
 */
import type { Log, LogLevel } from '../base/log.ts';
import { allowedTiers } from '../config/allowed-tiers.ts';
import type { DaemonChoice } from '../config/daemon-choice.ts';
import type { Evaluator } from '../evaluation/evaluator.ts';
import { LocalEvaluator } from '../evaluation/local-evaluator.ts';
import type { ConnectionWorkspaces } from '../live/connection-workspaces.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import { WorkspaceRegistry } from '../live/workspace-registry.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import { Sessions } from '../session/sessions.ts';
import type { Skill } from '../skills/skill.ts';
import { AuditLog } from '../storage/audit-log.ts';
import type { AuditTrailOptions } from '../tools/audit-trail.ts';
import type { RootBoundary } from '../workspace/root-boundary.ts';
import { auditPathOf } from './audit-choice.ts';
import { referenceCacheDirectory, userSettings } from './user-settings.ts';
import { type TrustGrant, userTrust } from './user-trust.ts';
import { warmBrokersOf } from './warm-brokers.ts';

export interface ForerunOptions {
  readonly definitions: readonly ServerDefinition[] | 'detect';
  readonly log: Log;
  /** The environment of the user: the directories of our files, settings, and what servers inherit. */
  readonly env: NodeJS.ProcessEnv;
  /** Whether servers are shared with other processes of this machine; absent: by the environment. */
  readonly daemon?: DaemonChoice | undefined;
  /** Directories trusted for this process; absent: only those the user has stored. */
  readonly trust?: TrustGrant | undefined;
  /** Tool calls are recorded in this file or, without one, where the user's settings say; absent: they are not recorded. */
  readonly audit?: { readonly file?: string | undefined };
  /** The only directories workspaces are opened in; absent: any directory. */
  readonly boundary?: RootBoundary | undefined;
  /** Evaluates changes elsewhere, such as on the workers of a queue; absent: this process evaluates them. */
  readonly evaluator?: Evaluator | undefined;
}

/** A connection as the process knows it: its sessions are listed in the status, and it is disposed with the process. */
export interface OpenConnection extends AsyncDisposable {
  readonly sessions: Sessions;
}

export class Forerun implements AsyncDisposable {
  /** Owns the open workspaces and their servers. */
  readonly registry: WorkspaceRegistry;
  /** The workspaces that the commands of this process use. */
  readonly workspaces: ConnectionWorkspaces;
  /** Sessions of the process itself, for commands that evaluate without a connection; kept in memory. */
  readonly sessions: Sessions;
  /** A connection adds itself when it opens and removes itself when it ends. */
  readonly connections = new Set<OpenConnection>();
  readonly audit: AuditLog | undefined;
  /** Whether records contain the beginning of edited texts. */
  readonly auditPreviews: AuditTrailOptions['previews'];
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  /** The log level of the user's settings; undefined: the default of the front end. */
  readonly logLevel: LogLevel | undefined;
  readonly #evaluator: Evaluator | undefined;
  #skills: Promise<readonly Skill[]> | undefined;
  #status: Promise<AsyncDisposable> | undefined;

  constructor({ definitions, log, env, daemon, trust, audit, boundary, evaluator }: ForerunOptions) {
    const settings = userSettings(env, log);
    this.env = env;
    this.log = log;
    this.#evaluator = evaluator;
    this.logLevel = settings.log.level;
    this.registry = new WorkspaceRegistry({
      definitions,
      cacheDirectory: referenceCacheDirectory(settings, env),
      memoryMegabytes: settings.servers.memoryMegabytes,
      load: settings.servers.load,
      tiers: () => allowedTiers(env, settings.sandbox.tiers),
      boundary,
      warm: warmBrokersOf(daemon ?? settings.daemon.use, { settings, env, log }),
      trust: userTrust({ env, log, settings }, trust ?? []),
      env,
      log,
    });
    this.workspaces = this.registry.connect();
    this.sessions = new Sessions({ workspaces: this.workspaces, log, evaluatorOf: this.evaluatorOf });
    this.auditPreviews = settings.audit.previews ? 'kept' : 'left-out';
    const auditPath = audit && auditPathOf(audit.file, settings);
    this.audit =
      auditPath === undefined ? undefined : new AuditLog({ path: auditPath, log: log.child('audit-log') });
  }

  /** What judges changes to a workspace. */
  readonly evaluatorOf = (live: LiveWorkspace): Evaluator =>
    this.#evaluator ?? new LocalEvaluator(live, this.log);

  /** How many evaluations of one question are worth asking for at once: elsewhere there may be many servers. */
  get parallelEvaluations(): number {
    return this.#evaluator ? 16 : 1;
  }

  /** The skills shipped with this package, read once. */
  readonly skills = (): Promise<readonly Skill[]> => {
    this.#skills ??= import('./shipped-skills.ts').then(({ shippedSkills }) => shippedSkills(this.log));
    return this.#skills;
  };

  /** From now on `forerun status` lists this process, under the name of its command. */
  announce(command: string): void {
    const describe = () => ({
      workspaces: this.registry,
      sessions: [...this.connections].map(({ sessions }) => sessions),
    });
    this.#status ??= import('./status/announce-status.ts').then(({ announceStatus }) =>
      announceStatus({ command, describe, env: this.env, log: this.log }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.connections].map((connection) => connection[Symbol.asyncDispose]()));
    const status = await this.#status;
    await Promise.all([
      this.registry[Symbol.asyncDispose](),
      this.audit?.[Symbol.asyncDispose](),
      status?.[Symbol.asyncDispose](),
    ]);
  }
}
