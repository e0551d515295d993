/** Keeps the model's list of steps. */
import { z } from 'zod';
import { word } from '../../tools/parameter.ts';
import { type AgentTool, defineAgentTool, done } from '../agent-tool.ts';
import { renderTodos, todoStates } from '../todo.ts';

export const todoWriteTool: AgentTool = defineAgentTool({
  name: 'TodoWrite',
  description:
    'Replace your list of steps. Use it for work of several steps: one step in_progress at a time, completed as soon as it is done.',
  effect: 'reads',
  input: z.object({
    todos: z
      .array(z.object({ content: word('The step.'), status: z.enum(todoStates).describe('How far it is.') }))
      .describe('All steps, in order.'),
  }),
  async run(_context, { todos }) {
    const text = todos.length > 0 ? `The list is now:\n${renderTodos(todos)}` : 'The list is now empty.';
    return done(text, { todos });
  },
});
