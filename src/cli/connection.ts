/**
 * What one connection gets, whichever door it comes in by: tools, guards, sessions, documents, a record of its calls
 * and word of what happens in its workspaces.
 *
 * Invariant: of another connection nothing can be reached from here but the running servers, and those show each
 * connection its own state.
 */
import { randomUUID } from 'node:crypto';
import { messageOf } from '../base/failure.ts';
import { isAtLeast, Log, type LogSink } from '../base/log.ts';
import type { ServedTools } from '../mcp/served-connection.ts';
import { enforcementOf } from '../skills/enforcement.ts';
import type { SkillShelf } from '../skills/skill.ts';
import { AuditTrail } from '../tools/audit-trail.ts';
import { catalogue } from '../tools/catalogue.ts';
import { OpenedDocuments } from '../tools/opened-documents.ts';
import { type ToolsetName, toolsetOf } from '../tools/toolset.ts';
import { WorkspaceNotices } from '../tools/workspace-notices.ts';
import { auditPreviewsOf } from './audit/audit-choice.ts';
import { type House, sessionsOf } from './house.ts';

export interface ConnectionRequest {
  readonly log: Log;
  readonly skills: SkillShelf;
  readonly toolset: ToolsetName;
  /** `kept` where the connection lasts as long as the process and its successor is the same client. */
  readonly sessions: 'kept' | 'memory';
}

/** What a client is served, until it is disposed. The servers it used stay, they belong to the house. */
export type Connection = ServedTools & AsyncDisposable;

export function connect(house: House, { log, skills, toolset, sessions }: ConnectionRequest): Connection {
  const workspaces = house.registry.connect();
  const ownSessions = sessionsOf(workspaces, { sessions, log });
  house.connected.add(ownSessions);
  const audit = trailOf(house, log);
  const enforcement = enforcementOf(skills, audit ? recordingPhases(log, audit) : log);
  const { listed, callable } = toolsetOf(toolset, [...catalogue, ...enforcement.tools]);
  const notices = new WorkspaceNotices(workspaces);
  return {
    tools: callable,
    listed,
    guards: [enforcement.guard],
    context: {
      workspaces,
      sessions: ownSessions,
      log,
      skills: enforcement.requirements,
      ...(audit && { audit }),
    },
    documents: new OpenedDocuments(),
    notices,
    async [Symbol.asyncDispose]() {
      notices[Symbol.dispose]();
      house.connected.delete(ownSessions);
      workspaces[Symbol.dispose]();
    },
  };
}

/** The record of one connection's calls, where records are kept. */
function trailOf(house: House, log: Log): AuditTrail | undefined {
  if (!house.audit) return undefined;
  const connection = randomUUID();
  log.debug('connection.opened', { connection, audit: house.audit.path });
  return new AuditTrail(house.audit, { connection, previews: auditPreviewsOf(process.env) });
}

/** What a skill's enforcement tells the log belongs in the record of calls too. */
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
