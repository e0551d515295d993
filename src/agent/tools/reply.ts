/**
 * The way out for a model that is made to call a tool and has nothing to do but answer.
 *
 * Invariant: it never runs: whoever reads the answer takes the text for what was said.
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
