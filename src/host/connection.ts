/**
 * What one client gets, whichever front end it uses: tools, guards, sessions, documents, an audit trail and notices
 * of events in its workspaces.
 *
 * Invariants: nothing of another connection can be reached from here but the running servers, and those show each
 * connection its own state. Disposing a connection releases everything it owns; it may be disposed more than once.
 */
import { randomUUID } from 'node:crypto';
import { messageOf } from '../base/failure.ts';
import { isAtLeast, Log, type LogSink } from '../base/log.ts';
import type { ConnectionWorkspaces } from '../live/connection-workspaces.ts';
import { Sessions } from '../session/sessions.ts';
import { enforcementOf } from '../skills/enforcement.ts';
import type { SkillLoader } from '../skills/skill.ts';
import { statePlaces } from '../storage/own-places.ts';
import { stateDirectory } from '../storage/user-directories.ts';
import { AnswerRests } from '../tools/answer-rest.ts';
import { AuditTrail } from '../tools/audit-trail.ts';
import { catalogue } from '../tools/catalogue.ts';
import { dispatch } from '../tools/dispatch.ts';
import type { Guard } from '../tools/guard.ts';
import { OpenedDocuments } from '../tools/opened-documents.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolConnection, ToolContext } from '../tools/tool-context.ts';
import type { ToolResult } from '../tools/tool-result.ts';
import { type ToolsetName, toolsetOf } from '../tools/toolset.ts';
import { WorkspaceNotices } from '../tools/workspace-notices.ts';
import type { Forerun, OpenConnection } from './forerun.ts';

export interface ConnectionOptions {
  readonly log: Log;
  readonly skills: SkillLoader;
  readonly toolset: ToolsetName;
  /** `kept` if the next process serves the same client and continues its sessions. */
  readonly sessions: 'kept' | 'memory';
  /** `one` if the process ends with the first answer; absent: the client can go on with an answer that was cut. */
  readonly calls?: 'one';
  /** `off` for calls that no client made; absent: recorded if the process has an audit log. */
  readonly audit?: 'off';
}

/** One tool call, with the channel back to the caller. */
export interface ConnectionCall {
  readonly name: string;
  readonly arguments: unknown;
  /** Absent: the caller shows no progress and has no log level. */
  readonly caller?: Omit<ToolConnection, 'documents'>;
}

export class Connection implements OpenConnection {
  readonly tools: readonly Tool[];
  /** The tools listed to the client. */
  readonly listed: readonly Tool[];
  /** Consulted before every call. */
  readonly guards: readonly Guard[];
  readonly context: Omit<ToolContext, 'connection'>;
  readonly documents = new OpenedDocuments();
  readonly notices: WorkspaceNotices;
  readonly sessions: Sessions;
  readonly #forerun: Forerun;
  readonly #workspaces: ConnectionWorkspaces;

  constructor(forerun: Forerun, options: ConnectionOptions) {
    const { log, skills, toolset } = options;
    this.#forerun = forerun;
    this.#workspaces = forerun.registry.connect();
    this.sessions = sessionsOf(this.#workspaces, forerun, options);
    const audit = options.audit === 'off' ? undefined : auditTrailOf(forerun, log);
    const enforcement = enforcementOf(skills, audit ? recordingPhases(log, audit) : log);
    const { listed, callable } = toolsetOf(toolset, [...catalogue, ...enforcement.tools]);
    this.tools = callable;
    this.listed = listed;
    this.guards = [enforcement.guard];
    this.context = {
      workspaces: this.#workspaces,
      sessions: this.sessions,
      log,
      skills: enforcement.requirements,
      ...(audit && { audit }),
      ...(options.calls !== 'one' && { answers: new AnswerRests() }),
    };
    this.notices = new WorkspaceNotices(this.#workspaces);
    forerun.connections.add(this);
  }

  /** Calls a tool. Only an unknown name throws; every other failure is an error result. */
  call(
    { name, arguments: given, caller = noCaller }: ConnectionCall,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const { tools, guards, context, documents } = this;
    const connection = { ...caller, documents };
    return dispatch({ ...context, connection }, { tools, guards, name, arguments: given }, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.notices[Symbol.dispose]();
    this.#forerun.connections.delete(this);
    this.#workspaces[Symbol.dispose]();
  }
}

const noCaller = { setLogLevel: () => {}, progress: () => {} };

function sessionsOf(
  workspaces: ConnectionWorkspaces,
  { env, evaluatorOf }: Forerun,
  { sessions, log }: ConnectionOptions,
): Sessions {
  const archive = sessions === 'kept' ? { archiveDirectory: statePlaces.sessions(stateDirectory(env)) } : {};
  return new Sessions({ workspaces, log, evaluatorOf, ...archive });
}

/** The audit trail of one connection, if the process has an audit log. */
function auditTrailOf({ audit, auditPreviews: previews }: Forerun, log: Log): AuditTrail | undefined {
  if (!audit) return undefined;
  const connection = randomUUID();
  log.debug('connection.opened', { connection, audit: audit.path });
  return new AuditTrail(audit, { connection, previews });
}

/** A log that also writes the phases of an enforced skill to the audit trail. */
function recordingPhases(log: Log, audit: AuditTrail): Log {
  const sink: LogSink = (record) => {
    const { level, logger, event, fields } = record;
    log.child(logger).write(level, event, fields);
    if (logger !== 'audit' || !isAtLeast(level, 'info')) return;
    audit.note(record).catch((thrown: unknown) => {
      log.warning('audit.note-lost', { code: 'cli/audit-note-lost', error: messageOf(thrown) });
    });
  };
  return new Log(sink);
}
