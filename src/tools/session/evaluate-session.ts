/** Measures what a session's edits do to the diagnostics of the workspace. */

import { z } from 'zod';
import { budgetInput } from '../answer-budget.ts';
import { evaluationPayload } from '../evaluation-payload.ts';
import { during } from '../failure.ts';
import { askedTimeout, scope, sessionId, timeoutMs } from '../parameter.ts';
import { defineTool, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';

export const evaluateSession: Tool = defineTool({
  name: 'evaluate_session',
  title: 'Evaluate Session',
  effect: 'reads',
  description:
    'Diagnostics the edits of a session introduce and resolve, against the unedited workspace. scope workspace also covers the files the edits can reach.',
  input: z.object({ session_id: sessionId, scope, timeout_ms: timeoutMs, ...budgetInput }),
  async handle(context, input, signal) {
    const session = await during('evaluate_session failed', async () =>
      context.sessions.find(input.session_id),
    );
    context.connection.progress('asking the language server');
    const evaluation = await during('evaluate_session failed', () =>
      session.evaluate({ scope: input.scope ?? 'file', timeoutMs: askedTimeout(input.timeout_ms) }, signal),
    );
    return jsonResult(evaluationPayload(session, evaluation));
  },
});
