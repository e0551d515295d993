/**
 * `forerun stats`: what working ahead brought and what it cost.
 *
 * Invariant: it reads and prints; whether anything was ever recorded or not, it answers.
 */

import { chatPlaces } from '../../host/chat/chat-paths.ts';
import { CostGovernor } from '../../speculation/cost-governor.ts';
import { pauseText } from '../../speculation/pause.ts';
import { type OutcomeRecord, readOutcomes } from '../../storage/outcome-log.ts';
import { type OutcomeSummary, summariseOutcomes } from '../../storage/outcome-summary.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { counted } from '../print/wording.ts';

export interface StatsOptions {
  /** How many days back. */
  readonly days: number;
  readonly format: 'human' | 'json';
  readonly env: NodeJS.ProcessEnv;
  readonly now: Date;
  /** The real path of the workspace that is asked about. */
  readonly root: string;
  /** As `speculation.dailyTokens` has it. */
  readonly dailyTokens: number;
}

export interface StatsAnswer {
  readonly text: string;
  readonly code: ExitCode;
}

const dayMs = 24 * 60 * 60 * 1000;

export async function statsCommand(options: StatsOptions): Promise<StatsAnswer> {
  const { days, format, env, now, root } = options;
  const { outcomes } = chatPlaces(env, root);
  const records = await readOutcomes(outcomes, new Date(now.getTime() - days * dayMs));
  const pause = await pauseNow(options);
  const summary = summariseOutcomes(records);
  const text =
    format === 'json'
      ? `${JSON.stringify(jsonOf(summary, days, pause))}\n`
      : `${pageOf(summary, days, records)}${pause === undefined ? '' : `${pause}\n`}`;
  return { text, code: exitCodes.good };
}

/** What was recorded longer ago tells little of what will be accepted now. */
export const rememberedDays = 30;

/** Why nothing is suggested in the workspace now, and what to do about it; undefined where nothing stands in the way. */
async function pauseNow({ env, now, root, dailyTokens }: StatsOptions): Promise<string | undefined> {
  const { outcomes, workspace } = chatPlaces(env, root);
  const past = await readOutcomes(outcomes, new Date(now.getTime() - rememberedDays * dayMs));
  // What is recorded carries its own count, so no price is needed to add it up.
  const governor = new CostGovernor({
    past,
    workspace,
    dailyTokens,
    price: 'metered',
    now: () => now.getTime(),
  });
  return governor.pause && pauseText(governor.pause, now.getTime());
}

function jsonOf(
  summary: OutcomeSummary,
  days: number,
  pause: string | undefined,
): Readonly<Record<string, unknown>> {
  const { shown, accepted, taken, aborted, silent, acceptanceRate, savedMs, tokens } = summary;
  return {
    days,
    shown,
    accepted,
    taken,
    aborted,
    silent,
    acceptance_rate: acceptanceRate ?? null,
    time_saved_ms: savedMs,
    tokens,
    reasons: Object.fromEntries(summary.reasons),
    boundaries: Object.fromEntries(summary.boundaries),
    unworked: Object.fromEntries(summary.unworked),
    paused: pause ?? null,
  };
}

function pageOf(summary: OutcomeSummary, days: number, records: readonly OutcomeRecord[]): string {
  const period = `in the last ${counted(days, 'day')}`;
  if (records.length === 0) return `Nothing was worked on ahead ${period}.\n`;
  const { savedMs, tokens, reasons, boundaries, unworked } = summary;
  const rows = [
    ['time saved', duration(savedMs)],
    ['suggestions', suggestionsText(summary)],
    ['tokens', tokensText(tokens)],
    ...(reasons.length > 0 ? [['ended by', tallied(reasons)]] : []),
    ...(boundaries.length > 0 ? [['worked until', tallied(boundaries)]] : []),
    ...(unworked.length > 0 ? [['only shown', tallied(unworked)]] : []),
  ];
  const lines = rows.map(([name = '', value = '']) => `  ${name.padEnd(13)} ${value}`);
  return `Working ahead ${period}:\n${lines.join('\n')}\n`;
}

function suggestionsText({ shown, accepted, taken, silent, acceptanceRate }: OutcomeSummary): string {
  const rate = acceptanceRate === undefined ? '' : ` (${percent(acceptanceRate)})`;
  const words = taken > 0 ? `, ${taken} of them as words alone` : '';
  return `${shown} shown, ${accepted + taken} accepted${rate}${words}; ${counted(silent, 'time')} silent`;
}

function tokensText({ spent, saved, cached }: OutcomeSummary['tokens']): string {
  const share = spent === 0 ? '' : ` (${percent(cached / spent)} from a cache)`;
  return `${grouped(spent)} spent${share}, ${grouped(saved)} saved by what was accepted`;
}

function tallied(counts: readonly (readonly [string, number])[]): string {
  return counts.map(([word, count]) => `${word} ${count}`).join(', ');
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** The same on every machine, whatever its language. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
