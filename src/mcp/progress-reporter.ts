/** Progress notifications of one request, for clients that sent a progress token. */
import type { ServerContext } from '@modelcontextprotocol/server';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { ToolConnection } from '../tools/tool-context.ts';

/** The protocol requires increasing numbers, so a message without a fraction advances by this. */
const smallStep = 0.001;

export function progressReporter(request: ServerContext, log: Log): ToolConnection['progress'] {
  const progressToken = request.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let reached = 0;
  return (message, fraction) => {
    reached = Math.max(reached + smallStep, fraction ?? 0);
    const params = { progressToken, progress: reached, total: 1, message };
    request.mcpReq.notify({ method: 'notifications/progress', params }).catch((thrown: unknown) => {
      log.debug('mcp.progress-lost', { code: 'mcp/progress-lost', error: messageOf(thrown) });
    });
  };
}
