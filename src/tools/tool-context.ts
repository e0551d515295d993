/**
 * What a tool may reach: the open workspaces, the sessions and the connection it was called on.
 *
 * Invariant: a tool holds no state of its own; whatever outlives a call lives here.
 */
import type { Log, LogLevel } from '../base/log.ts';
import type { ConnectionWorkspaces } from '../live/connection-workspaces.ts';
import type { Sessions } from '../session/sessions.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { OpenedDocuments } from './opened-documents.ts';
import type { SkillRequirement } from './skill-support.ts';

export interface ToolContext {
  readonly workspaces: ConnectionWorkspaces;
  readonly sessions: Sessions;
  readonly log: Log;
  readonly connection: ToolConnection;
  /** Where calls are recorded; absent where nobody keeps a record. */
  readonly audit?: AuditTrail;
  /** What the served skills need of a server; absent where none are served. */
  readonly skills?: () => Promise<readonly SkillRequirement[]>;
}

/** The caller's side of the wire. */
export interface ToolConnection {
  readonly documents: OpenedDocuments;
  /** The name that the caller gave itself; absent if it gave none. */
  readonly client?: string | undefined;
  setLogLevel(level: LogLevel): void;
  /** Says how far the call has come; `fraction` runs from 0 to 1. Callers that did not ask hear nothing. */
  progress(message: string, fraction?: number): void;
}
