/** Replaces the model's todo list. */
import { z } from 'zod';
import { word } from '../../tools/parameter.ts';
import { defineTool } from '../../tools/tool.ts';
import { textResult } from '../../tools/tool-result.ts';
import type { AgentTool } from '../agent-context.ts';
import { renderTodos, todoStates } from '../todo.ts';

export const todoWriteTool: AgentTool = defineTool({
  name: 'TodoWrite',
  title: 'Set Steps',
  description:
    'Replace your todo list. Use it for work with several steps: keep one step in_progress at a time, and mark it completed as soon as it is done.',
  effect: 'reads',
  input: z.object({
    todos: z
      .array(
        z.object({
          content: word('The step.'),
          status: z.enum(todoStates).describe('The state of the step.'),
        }),
      )
      .describe('All steps, in order.'),
  }),
  async handle(context, { todos }) {
    await context.setTodos(todos);
    const text = todos.length > 0 ? `The list is now:\n${renderTodos(todos)}` : 'The list is now empty.';
    return textResult(text);
  },
});
