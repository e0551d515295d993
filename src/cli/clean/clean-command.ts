/** `forerun clean`: shows the files Forerun stores, and removes those past their limits. */
import { Failure } from '../../base/failure.ts';
import { type PruneMode, type PruneReport, pruneKind } from '../../storage/prune.ts';
import { counted } from '../../text/counted-noun.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { tableText } from '../print/table.ts';
import { keptKinds } from './clean-kinds.ts';
import { keptSettings } from './clean-limits.ts';

export interface CleanOptions {
  /** The kinds to clean; empty: all. */
  readonly names: readonly string[];
  readonly mode: PruneMode;
  readonly effect: 'remove' | 'show';
  readonly format: 'human' | 'json';
  readonly env: NodeJS.ProcessEnv;
  readonly now: number;
  /** The kinds of stored files; absent: all of the table. */
  readonly kinds?: typeof keptKinds;
}

export interface CleanAnswer {
  readonly text: string;
  readonly code: ExitCode;
}

export async function cleanCommand(options: CleanOptions, signal: AbortSignal): Promise<CleanAnswer> {
  const { kinds = keptKinds } = options;
  const all = kinds(options.env, await keptSettings(options.env, signal));
  const unknown = options.names.find((name) => all.every((kind) => kind.name !== name));
  if (unknown !== undefined) {
    throw new UnknownKind(
      unknown,
      all.map(({ name }) => name),
    );
  }
  const chosen = all.filter(({ name }) => options.names.length === 0 || options.names.includes(name));
  const reports: PruneReport[] = [];
  for (const kind of chosen) {
    signal.throwIfAborted();
    reports.push(await pruneKind(kind, options));
  }
  const text = options.format === 'json' ? jsonOf(reports, options) : pageOf(reports, options);
  const hasFailed = reports.some(({ failed }) => failed.length > 0);
  return { text, code: hasFailed ? exitCodes.bad : exitCodes.good };
}

class UnknownKind extends Failure {
  readonly code = 'cli/unknown-kind';
  readonly remedy: string;

  constructor(name: string, known: readonly string[]) {
    super(`no files are stored under the name "${name}"`);
    this.remedy = `Name one of: ${known.join(', ')}.`;
  }
}

function jsonOf(reports: readonly PruneReport[], { effect }: CleanOptions): string {
  const kinds = reports.map(({ kind, entries, bytes, removed, failed }) => ({
    name: kind,
    entries,
    bytes,
    removed: removed.map(({ path, bytes: size, changedAt }) => ({
      path,
      bytes: size,
      changed_at: new Date(changedAt).toISOString(),
    })),
    failed,
  }));
  return `${JSON.stringify({ dry_run: effect === 'show', kinds })}\n`;
}

function pageOf(reports: readonly PruneReport[], { effect }: CleanOptions): string {
  const verb = effect === 'show' ? 'would go' : 'removed';
  const rows = reports.map(({ kind, entries, bytes, removed }) => [
    { text: kind },
    { text: counted(entries, 'item'), align: 'right' as const },
    { text: sizeOf(bytes), align: 'right' as const },
    { text: removed.length === 0 ? '' : `${removed.length} ${verb} (${sizeOf(totalOf(removed))})` },
  ]);
  const failures = reports.flatMap(({ failed }) =>
    failed.map(({ path, reason }) => `not removed: ${path} (${reason})\n`),
  );
  const gone = reports.flatMap(({ removed }) => removed);
  const sum = `${counted(gone.length, 'item')} ${verb}, ${sizeOf(totalOf(gone))}.`;
  return `${tableText(rows)}${failures.join('')}${sum}\n`;
}

function totalOf(entries: readonly { readonly bytes: number }[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

function sizeOf(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit] ?? ''}`;
}
