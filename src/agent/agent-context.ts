/**
 * What one call of a tool may look at in a conversation.
 *
 * Invariant: the views are values. A tool answers with an overlay on one of them, and the turn commits it, so that the
 * same definition serves a live conversation and a fork.
 */
import type { SubjectPath } from '../tools/call-subject.ts';
import type { Tool } from '../tools/tool.ts';
import type { CodeConnection } from './code-connection.ts';
import type { CommandRunner } from './command-runner.ts';
import type { Roots, RootView } from './files/agent-root.ts';
import type { ReadCache } from './files/read-cache.ts';
import type { Todo } from './todo.ts';

export interface AgentContext {
  /** The id of this call, as the model and the events of the turn name it. */
  readonly callId: string;
  readonly roots: Roots<RootView>;
  readonly reads: Pick<ReadCache, 'hashOf'>;
  readonly commands: CommandRunner;
  /** Absent where there are no language servers. */
  readonly code: CodeConnection | undefined;
  /** Whether the user's rules keep a file from being looked at. */
  hides(path: SubjectPath): boolean;
  /** Replaces the list of steps of the conversation. */
  setTodos(todos: readonly Todo[]): Promise<void>;
}

export type AgentTool = Tool<AgentContext>;
