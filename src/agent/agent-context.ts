/**
 * The context of one tool call in a conversation.
 *
 * Invariant: the views are values. A tool answers with an overlay on one of them, and the turn commits it. The same
 * definition of a tool therefore serves a live conversation and a fork.
 */
import type { SubjectPath } from '../tools/call-subject.ts';
import type { Tool } from '../tools/tool.ts';
import type { CodeConnection } from './code-connection.ts';
import type { CommandRunner } from './command-runner.ts';
import type { Roots, RootView } from './files/agent-root.ts';
import type { ReadCache } from './files/read-cache.ts';
import type { Todo } from './todo.ts';

export interface AgentContext {
  /** The id of this call, as in the model's message and in the events of the turn. */
  readonly callId: string;
  readonly roots: Roots<RootView>;
  readonly reads: Pick<ReadCache, 'hashOf'>;
  readonly commands: CommandRunner;
  /** Absent if there are no language servers. */
  readonly code: CodeConnection | undefined;
  /** Whether a rule of the user hides a file from tools. */
  hides(path: SubjectPath): boolean;
  /** Replaces the todo list of the conversation. */
  setTodos(todos: readonly Todo[]): Promise<void>;
}

export type AgentTool = Tool<AgentContext>;
