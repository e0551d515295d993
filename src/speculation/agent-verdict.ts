/**
 * The effect of accepting a run, by the conversation's judge and the commands that ran.
 *
 * Invariant: a failing judge proves nothing. The verdict on a run that builds on another one covers only its own
 * changes; the other one has its own verdict.
 */
import type { Judgement } from '../agent/judgement.ts';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { AgentBranch } from './agent-branch.ts';
import type { OfferVerdict } from './engine/offer.ts';
import type { Run } from './engine/speculation-ports.ts';

export async function judgeRun(
  { after }: Run<AgentBranch>,
  log: Log,
  signal: AbortSignal,
): Promise<OfferVerdict> {
  const { conversation, added } = after;
  const judgements: (Judgement | 'failed')[] = [];
  let files = 0;
  for (const { workspace, files: worked } of conversation.setup.roots) {
    const overlay = worked.overlay();
    const changes = (await added?.files.get(workspace)?.changed(overlay).changes()) ?? [];
    files += changes.length;
    if (changes.length === 0 || !conversation.setup.judge) continue;
    try {
      const judgement = await conversation.setup.judge.judge(workspace, overlay, signal);
      if (judgement) judgements.push(judgement);
    } catch (thrown) {
      signal.throwIfAborted();
      log.warning('speculation.unjudged', { code: 'speculation/unjudged', error: messageOf(thrown) });
      judgements.push('failed');
    }
  }
  const reported = judgements.filter((judgement) => judgement !== 'failed');
  const isProved = judgements.every((judgement) => judgement !== 'failed' && judgement.verdict !== 'unknown');
  return {
    files,
    errorsIntroduced: errors(reported.flatMap(({ introduced }) => introduced)),
    errorsResolved: errors(reported.flatMap(({ resolved }) => resolved)),
    proof: judgements.length === 0 ? 'unjudged' : isProved ? 'proved' : 'unproved',
    commands: added?.commands ?? [],
  };
}

function errors(problems: Judgement['introduced']): number {
  return problems.filter(({ severity }) => severity === 'error').length;
}
