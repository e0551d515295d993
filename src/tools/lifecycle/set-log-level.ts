/** Sets which log records a connection receives. */
import { z } from 'zod';
import { logLevels } from '../../base/log.ts';
import { defineTool, type Tool } from '../tool.ts';
import { textResult } from '../tool-result.ts';

export const setLogLevel: Tool = defineTool({
  name: 'set_log_level',
  title: 'Set Log Level',
  effect: 'process',
  idempotent: true,
  description: 'Set the minimum level of log messages this connection receives.',
  input: z.object({ level: z.enum(logLevels).describe('Minimum level.') }),
  async handle(context, { level }) {
    context.connection.setLogLevel(level);
    return textResult(`Log level set to "${level}"`);
  },
});
