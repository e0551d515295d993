/** The tools of an agent. */
import type { AgentTool } from './agent-context.ts';
import { bashTool } from './tools/bash.ts';
import { editTool, multiEditTool } from './tools/edit.ts';
import { globTool } from './tools/glob.ts';
import { grepTool } from './tools/grep.ts';
import { readTool } from './tools/read.ts';
import { replyTool } from './tools/reply.ts';
import { todoWriteTool } from './tools/todo-write.ts';
import { writeTool } from './tools/write.ts';

const fileTools: readonly AgentTool[] = [
  readTool,
  writeTool,
  editTool,
  multiEditTool,
  globTool,
  grepTool,
  bashTool,
  todoWriteTool,
];

/** All tools for a conversation. A model with `full` assistance also gets `reply_to_user`. */
export function toolkit(
  codeTools: readonly AgentTool[],
  { assistance }: { readonly assistance: 'full' | 'none' },
): readonly AgentTool[] {
  return [...fileTools, ...codeTools, ...(assistance === 'full' ? [replyTool] : [])];
}
