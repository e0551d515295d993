/**
 * What an MCP server is handed by whoever composes the program, for one connection.
 *
 * Invariant: everything here belongs to that connection alone.
 */
import type { Log } from '../base/log.ts';
import type { SkillShelf } from '../skills/skill.ts';
import type { Guard } from '../tools/guard.ts';
import type { OpenedDocuments } from '../tools/opened-documents.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import type { WorkspaceNotices } from '../tools/workspace-notices.ts';
import type { ConnectionLogSink } from './log-sink.ts';

export interface McpServerOptions {
  readonly version: string;
  readonly log: Log;
  readonly logSink: ConnectionLogSink;
  /** Loads the tools and what stands behind them; may be called often and loads once. */
  readonly load: () => Promise<ServedTools>;
  /** The client calls a tool: whatever was done for want of something better can wait. */
  readonly called?: () => void;
  /** The client has gone: what was loaded for it hears of nothing any more. */
  readonly release: () => void;
  /** The skills served as prompts. */
  readonly skills: SkillShelf;
}

export interface ServedTools {
  readonly tools: readonly Tool[];
  /** What the client is shown of them; absent: all. */
  readonly listed?: readonly Tool[];
  /** Asked before every call of this connection. */
  readonly guards: readonly Guard[];
  readonly context: Omit<ToolContext, 'connection'>;
  readonly documents: OpenedDocuments;
  /** What happens in the connection's workspaces. */
  readonly notices: WorkspaceNotices;
}
