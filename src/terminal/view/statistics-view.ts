/** The savings and costs of speculation, as text. */
import type { SpeculationStatistics } from '../../host/chat/speculation-statistics.ts';
import { counted } from '../../text/counted-noun.ts';

type Summary = SpeculationStatistics['summary'];

export function statisticsPage({ summary, days, records, pause }: SpeculationStatistics): string {
  return `${summaryOf(summary, days, records)}${pause === undefined ? '' : `${pause}\n`}`;
}

function summaryOf(summary: Summary, days: number, records: number): string {
  const period = `in the last ${counted(days, 'day')}`;
  if (records === 0) return `No speculation ${period}.\n`;
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
  return `Speculation ${period}:\n${lines.join('\n')}\n`;
}

function suggestionsText({ shown, accepted, taken, silent, acceptanceRate }: Summary): string {
  const rate = acceptanceRate === undefined ? '' : ` (${percent(acceptanceRate)})`;
  const words = taken > 0 ? `, ${taken} of them text only` : '';
  return `${shown} shown, ${accepted + taken} accepted${rate}${words}; ${counted(silent, 'time')} silent`;
}

function tokensText({ spent, saved, cached }: Summary['tokens']): string {
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

/** Independent of the machine's locale. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
