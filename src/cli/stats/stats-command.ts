/** `forerun stats`: the savings and costs of speculation. */
import {
  readStatistics,
  type SpeculationStatistics,
  type StatisticsRequest,
} from '../../host/chat/speculation-statistics.ts';
import { statisticsPage } from '../../terminal/view/statistics-view.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';

export interface StatsOptions extends StatisticsRequest {
  readonly format: 'human' | 'json';
}

export interface StatsAnswer {
  readonly text: string;
  readonly code: ExitCode;
}

export async function statsCommand({ format, ...request }: StatsOptions): Promise<StatsAnswer> {
  const statistics = await readStatistics(request);
  const text = format === 'json' ? `${JSON.stringify(jsonOf(statistics))}\n` : statisticsPage(statistics);
  return { text, code: exitCodes.good };
}

function jsonOf({ summary, days, pause }: SpeculationStatistics): Readonly<Record<string, unknown>> {
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
