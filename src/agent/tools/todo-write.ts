/** Keeps the model's list of steps. */
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
    'Replace your list of steps. Use it for work of several steps: one step in_progress at a time, completed as soon as it is done.',
  effect: 'reads',
  input: z.object({
    todos: z
      .array(z.object({ content: word('The step.'), status: z.enum(todoStates).describe('How far it is.') }))
      .describe('All steps, in order.'),
  }),
  async handle(context, { todos }) {
    await context.setTodos(todos);
    const text = todos.length > 0 ? `The list is now:\n${renderTodos(todos)}` : 'The list is now empty.';
    return textResult(text);
  },
});
