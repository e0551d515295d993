/** Ranks several sessions by their evaluations. */

import { z } from 'zod';
import { budgetInput } from '../answer-budget.ts';
import { sessionEvaluationPayload } from '../evaluation-payload.ts';
import { InvalidArgument } from '../failure.ts';
import { askedTimeout, scope, timeoutMs, word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';

export const compareSessions: Tool = defineTool({
  name: 'compare_sessions',
  title: 'Compare Sessions',
  effect: 'reads',
  description: 'Evaluate several sessions and rank them, best first.',
  input: z.object({
    session_ids: z.array(word('A session id.')).describe('The sessions to rank.'),
    scope,
    timeout_ms: timeoutMs,
    ...budgetInput,
  }),
  async handle(context, input, signal) {
    if (input.session_ids.length === 0) throw new InvalidArgument('session_ids must not be empty');
    context.connection.progress('evaluating the sessions');
    const ranked = await during('compare_sessions failed', () =>
      context.sessions.compare(
        input.session_ids,
        { scope: input.scope ?? 'file', timeoutMs: askedTimeout(input.timeout_ms) },
        signal,
      ),
    );
    const ways = ranked.map(({ id, rank, evaluation }) => {
      const session = context.sessions.find(id);
      const { workspace, overlay, language } = session;
      return { rank, workspace, overlay, evaluation, language, session };
    });
    const answered = {
      ranked: ranked.map(({ id, rank, verdict, evaluation }) => ({
        rank,
        ...sessionEvaluationPayload({ id, workspace: context.sessions.find(id).workspace }, evaluation),
        verdict: verdict.kind,
      })),
    };
    return jsonResult(answered, { whatIf: { kind: 'ranked', ways } });
  },
});
