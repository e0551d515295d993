/** The results of an experiment as a table. */
import type { EmissionCell } from './emission-experiment.ts';
import { emissionOutcomes } from './emission-trial.ts';

export function renderEmissions(cells: readonly EmissionCell[]): string {
  const head = ['model', 'temp', 'tools', 'trials', ...emissionOutcomes, 'right'];
  const rows = cells.map(({ model, temperature, tools, trials, outcomes }) => [
    model,
    String(temperature),
    String(tools),
    String(trials),
    ...emissionOutcomes.map((outcome) => (outcomes[outcome] === 0 ? '·' : String(outcomes[outcome]))),
    `${Math.round((rightOf(outcomes) / Math.max(1, trials)) * 100)}%`,
  ]);
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cellsOfRow: readonly string[]): string =>
    cellsOfRow
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return `${[head, ...rows].map(line).join('\n')}\n`;
}

/** The number of right outcomes: the call was made, or none was needed. */
function rightOf({ native, salvaged, forced, plain }: EmissionCell['outcomes']): number {
  return native + salvaged + forced + plain;
}
