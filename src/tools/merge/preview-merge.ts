/** Judges a merge of branches, working trees and sessions before it is made. */
import { z } from 'zod';
import { LocalEvaluator } from '../../evaluation/local-evaluator.ts';
import { evaluationTime } from '../../evaluation/whole-evaluation.ts';
import { layerJudge } from '../../merge/layer-judge.ts';
import { mergeRevisions } from '../../merge/revision-merge.ts';
import { activeWorkspace } from '../active-workspace.ts';
import { budgetInput } from '../answer-budget.ts';
import { InvalidArgument } from '../failure.ts';
import { askedTimeout, timeoutMs, wideScope, word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { mergePayload } from './merge-payload.ts';

export const previewMerge: Tool = defineTool({
  name: 'preview_merge',
  title: 'Preview Merge',
  effect: 'reads',
  description:
    'Judge a merge before it is made: each side alone, every two of them, and the longest sequence that stays clean. Errors that neither side has alone are semantic conflicts, listed with the two changes that collide. Nothing is checked out or written.',
  input: z.object({
    sides: z
      .array(word('A branch, another revision, the directory of a working tree, or session:<session id>.'))
      .describe(
        'What is merged. The uncommitted changes of a working tree count, and a session counts with those it was made on.',
      ),
    onto: word('The revision that the sides are merged onto; default HEAD.').optional(),
    workspace_root: word('Absolute path of the workspace; default: the active one.').optional(),
    scope: wideScope,
    timeout_ms: timeoutMs,
    ...budgetInput,
  }),
  async handle(context, input, signal) {
    if (input.sides.length === 0) throw new InvalidArgument('sides must not be empty');
    const { workspace, live } = await during('invalid workspace_root', () =>
      activeWorkspace(context, input.workspace_root, signal),
    );
    const { onto = 'HEAD' } = input;
    const time = evaluationTime(input.scope ?? 'workspace', askedTimeout(input.timeout_ms));
    const evaluation = await during('preview_merge failed', () =>
      mergeRevisions(
        {
          workspace,
          disk: live.emptyOverlay(),
          sides: input.sides,
          onto,
          directory: workspace.root,
          requireServed: (directory) => context.workspaces.locator.requireServed(directory),
          session: (id) => context.sessions.reach(id, signal),
          env: context.workspaces.user.env,
          judge: layerJudge(new LocalEvaluator(live, context.log), { workspace, ...time }),
          onProgress: ({ done, of }) => context.connection.progress(`${done} of ${of} judged`, done / of),
        },
        signal,
      ),
    );
    return jsonResult(mergePayload(evaluation, { workspace, onto }));
  },
});
