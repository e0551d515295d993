/**
 * `reply_to_user`: lets a model that must call a tool answer in plain text.
 *
 * Invariant: the tool never runs; its text is taken as the model's answer.
 */
import { z } from 'zod';
import { text } from '../../tools/parameter.ts';
import { defineTool } from '../../tools/tool.ts';
import { textResult } from '../../tools/tool-result.ts';
import type { AgentTool } from '../agent-context.ts';

export const replyToolName = 'reply_to_user';

export const replyTool: AgentTool = defineTool({
  name: replyToolName,
  title: 'Reply',
  description: 'Answer the user in plain text, when no other tool is needed.',
  effect: 'reads',
  input: z.object({ text: text('The answer.') }),
  handle: async (_context, { text: answer }) => textResult(answer),
});
