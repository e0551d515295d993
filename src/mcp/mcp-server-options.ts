/**
 * The options of an MCP server for one client.
 *
 * Invariant: everything here belongs to that client alone.
 */
import type { Log } from '../base/log.ts';
import type { Connection } from '../host/connection.ts';
import type { Lazy } from '../host/lazy.ts';
import type { SkillLoader } from '../skills/skill.ts';
import type { ConnectionLogSink } from './log-sink.ts';

export interface McpServerOptions {
  readonly version: string;
  readonly log: Log;
  readonly logSink: ConnectionLogSink;
  /** Opened after the handshake; disposed when the client has gone. */
  readonly connection: Pick<Lazy<Connection>, 'get'> & AsyncDisposable;
  /** Called before every tool call of the client. */
  readonly onCall?: () => void;
  /** The skills served as prompts. */
  readonly skills: SkillLoader;
}
