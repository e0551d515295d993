/** Judges what several sessions do together, and can make one session of those that agree. */
import { z } from 'zod';
import { LocalEvaluator } from '../../evaluation/local-evaluator.ts';
import { evaluationTime } from '../../evaluation/whole-evaluation.ts';
import { layerJudge } from '../../merge/layer-judge.ts';
import { mergeSessions } from '../../merge/session-merge.ts';
import type { Session } from '../../session/session.ts';
import { budgetInput } from '../answer-budget.ts';
import { InvalidArgument } from '../failure.ts';
import { askedTimeout, flag, timeoutMs, wideScope, word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { jsonResult } from '../tool-result.ts';
import { mergePayload } from './merge-payload.ts';

export const composeSessions: Tool = defineTool({
  name: 'compose_sessions',
  title: 'Compose Sessions',
  effect: 'overlay',
  description:
    'Judge what several sessions of one workspace do together: each alone, every two of them, and the longest sequence that stays clean. Errors that no session has alone are semantic conflicts. create_session makes one new session of that sequence, to be committed as a whole.',
  input: z.object({
    session_ids: z
      .array(word('A session id.'))
      .describe('The sessions, of this connection or of others; list_sessions lists them.'),
    create_session: flag('Make a session of the sequence that stays clean. Default false.').optional(),
    scope: wideScope,
    timeout_ms: timeoutMs,
    ...budgetInput,
  }),
  effectOf: ({ create_session }) => (create_session ? 'overlay' : 'reads'),
  async handle(context, input, signal) {
    const ids = [...new Set(input.session_ids)];
    const [first, ...others] = await during('compose_sessions failed', () =>
      Promise.all(ids.map((id) => context.sessions.reach(id, signal))),
    );
    if (!first) throw new InvalidArgument('session_ids must not be empty');
    const { workspace } = first;
    const { live } = await context.workspaces.use(workspace.root, signal);
    const time = evaluationTime(input.scope ?? 'workspace', askedTimeout(input.timeout_ms));
    const { composed, ...evaluation } = await during('compose_sessions failed', () =>
      mergeSessions(
        {
          workspace,
          disk: live.emptyOverlay(),
          sessions: [first, ...others],
          env: context.workspaces.user.env,
          judge: layerJudge(new LocalEvaluator(live, context.log), { workspace, ...time }),
          onProgress: ({ done, of }) => context.connection.progress(`${done} of ${of} judged`, done / of),
        },
        signal,
      ),
    );
    const payload = mergePayload(evaluation, { workspace, onto: 'disk' });
    if (!input.create_session || evaluation.train.order.length === 0) return jsonResult(payload);
    const session = await during('compose_sessions failed', () =>
      kept(context, { live, overlay: composed.flattened(), parts: evaluation.train.order.length }, signal),
    );
    return jsonResult(
      { ...payload, session_id: session.id },
      {
        hint: 'commit_session with apply writes the composed session; the sessions it is made of stay as they are.',
      },
    );
  },
});

function kept(
  { sessions, connection }: ToolContext,
  {
    live,
    overlay,
    parts,
  }: Pick<Parameters<ToolContext['sessions']['keep']>[0], 'live' | 'overlay'> & {
    readonly parts: number;
  },
  signal: AbortSignal,
): Promise<Session> {
  const title = `${parts} sessions composed`;
  return sessions.keep({ live, overlay, author: connection.client, title }, signal);
}
