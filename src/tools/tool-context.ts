/**
 * The context of a tool call: the open workspaces, the sessions and the connection.
 *
 * Invariant: a tool has no state of its own; state that outlives a call is kept here.
 */
import type { Log, LogLevel } from '../base/log.ts';
import type { ConnectionWorkspaces } from '../live/connection-workspaces.ts';
import type { Sessions } from '../session/sessions.ts';
import type { AnswerRests } from './answer-rest.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { OpenedDocuments } from './opened-documents.ts';
import type { SkillRequirement } from './skill-support.ts';

export interface ToolContext {
  readonly workspaces: ConnectionWorkspaces;
  readonly sessions: Sessions;
  readonly log: Log;
  readonly connection: ToolConnection;
  /** The audit trail; absent if calls are not recorded. */
  readonly audit?: AuditTrail;
  /** Where the rest of a cut answer is kept; absent if the caller cannot make another call. */
  readonly answers?: AnswerRests;
  /** The capabilities that served skills need; absent if no skills are served. */
  readonly skills?: () => Promise<readonly SkillRequirement[]>;
}

/** The connection to the caller. */
export interface ToolConnection {
  readonly documents: OpenedDocuments;
  /** The name that the caller gave itself; absent if it gave none. */
  readonly client?: string | undefined;
  setLogLevel(level: LogLevel): void;
  /** Reports progress; `fraction` runs from 0 to 1. Callers that did not request progress receive nothing. */
  progress(message: string, fraction?: number): void;
}
