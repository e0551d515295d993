/** The tools an agent is given, as data. */
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

/** The whole list for a conversation; a model that needs assistance also gets a way to answer without a tool. */
export function toolkit(
  codeTools: readonly AgentTool[],
  { assistance }: { readonly assistance: 'full' | 'none' },
): readonly AgentTool[] {
  return [...fileTools, ...codeTools, ...(assistance === 'full' ? [replyTool] : [])];
}
