/**
 * The benefit and the cost of speculation in a workspace.
 *
 * Invariant: it only reads, and it works even if nothing was ever recorded.
 */
import { CostGovernor } from '../../speculation/cost-governor.ts';
import { pauseText } from '../../speculation/pause.ts';
import { readOutcomes } from '../../storage/outcome-log.ts';
import { type OutcomeSummary, summariseOutcomes } from '../../storage/outcome-summary.ts';
import { chatPaths } from './chat-paths.ts';

export interface StatisticsRequest {
  /** How many days back. */
  readonly days: number;
  readonly env: NodeJS.ProcessEnv;
  readonly now: Date;
  /** The real path of the workspace. */
  readonly root: string;
  /** The setting `speculation.dailyTokens`. */
  readonly dailyTokens: number;
}

export interface SpeculationStatistics {
  readonly days: number;
  /** How many outcomes were recorded in these days. */
  readonly records: number;
  readonly summary: OutcomeSummary;
  /** Why suggestions are paused in the workspace, and what to do about it; undefined if they are on. */
  readonly pause: string | undefined;
}

/** Older outcomes say little about what will be accepted now. */
export const rememberedDays = 30;

export const dayMs = 24 * 60 * 60 * 1000;

export async function readStatistics(request: StatisticsRequest): Promise<SpeculationStatistics> {
  const { days, env, now, root } = request;
  const { outcomes } = chatPaths(env, root);
  const records = await readOutcomes(outcomes, new Date(now.getTime() - days * dayMs));
  const pause = await pauseNow(request);
  return { days, records: records.length, summary: summariseOutcomes(records), pause };
}

async function pauseNow({ env, now, root, dailyTokens }: StatisticsRequest): Promise<string | undefined> {
  const { outcomes, workspace } = chatPaths(env, root);
  const past = await readOutcomes(outcomes, new Date(now.getTime() - rememberedDays * dayMs));
  // Every record contains its own token count, so no price is needed to add them up.
  const governor = new CostGovernor({
    past,
    workspace,
    dailyTokens,
    price: 'metered',
    now: () => now.getTime(),
  });
  return governor.pause && pauseText(governor.pause, now.getTime());
}
