/** `forerun audit`: shows the audit log of tool calls. */

import { silentLog } from '../../base/log.ts';
import { auditPathOf } from '../../host/audit-choice.ts';
import { userSettings } from '../../host/user-settings.ts';
import { readAudit } from '../../storage/audit-file.ts';
import type { JsonLine } from '../../storage/json-line.ts';
import { counted } from '../../text/counted-noun.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';

export interface AuditOptions {
  /** Absent: the file of the settings, or the default. */
  readonly file: string | undefined;
  readonly format: 'human' | 'json';
}

/** Prints the last records, oldest first. */
export async function auditTail(options: AuditOptions & { readonly lines: number }): Promise<ExitCode> {
  const last: JsonLine[] = [];
  for await (const record of recordsOf(options)) {
    if (record) last.push(record);
    if (last.length > options.lines) last.shift();
  }
  for (const record of last) {
    process.stdout.write(`${options.format === 'json' ? JSON.stringify(record) : lineOf(record)}\n`);
  }
  return exitCodes.good;
}

/** Prints calls, failures and durations by tool. */
export async function auditStats(options: AuditOptions): Promise<ExitCode> {
  const stats = await statsOf(recordsOf(options));
  process.stdout.write(options.format === 'json' ? `${JSON.stringify(stats)}\n` : tableOf(stats));
  return exitCodes.good;
}

interface AuditStats {
  readonly records: number;
  readonly unreadable: number;
  readonly dropped: number;
  readonly tools: readonly ToolStats[];
}

interface ToolStats {
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
  readonly median_ms: number;
  readonly slowest_ms: number;
}

async function* recordsOf({ file }: AuditOptions): AsyncGenerator<JsonLine | undefined> {
  const path = auditPathOf(file, userSettings(process.env, silentLog));
  if (path !== undefined) yield* readAudit(path);
}

async function statsOf(records: AsyncIterable<JsonLine | undefined>): Promise<AuditStats> {
  const durations = new Map<string, number[]>();
  const failures = new Map<string, number>();
  let [total, unreadable, dropped] = [0, 0, 0];
  for await (const record of records) {
    if (!record) unreadable += 1;
    else if (typeof record.dropped === 'number') dropped += record.dropped;
    if (typeof record?.tool !== 'string') continue;
    total += 1;
    const known = durations.get(record.tool) ?? [];
    durations.set(record.tool, known);
    known.push(Number(record.duration_ms) || 0);
    if (record.success !== true) failures.set(record.tool, (failures.get(record.tool) ?? 0) + 1);
  }
  const tools = [...durations].map(([tool, times]) => {
    const sorted = times.sort((a, b) => a - b);
    return {
      tool,
      calls: sorted.length,
      failed: failures.get(tool) ?? 0,
      median_ms: sorted[Math.floor(sorted.length / 2)] ?? 0,
      slowest_ms: sorted.at(-1) ?? 0,
    };
  });
  return { records: total, unreadable, dropped, tools: tools.sort((a, b) => b.calls - a.calls) };
}

function lineOf(record: JsonLine): string {
  const { timestamp, tool, success, duration_ms, files, error_message } = record;
  const named = Array.isArray(files) ? files.join(' ') : '';
  const outcome = success === true ? 'ok' : `failed: ${error_message ?? ''}`;
  return `${timestamp}  ${tool ?? 'dropped'}  ${duration_ms ?? 0} ms  ${outcome}  ${named}`.trimEnd();
}

function tableOf({ records, unreadable, dropped, tools }: AuditStats): string {
  const rows = tools.map(({ tool, calls, failed, median_ms, slowest_ms }) =>
    [tool.padEnd(28), calls, failed, median_ms, slowest_ms].map((cell) => String(cell).padStart(8)).join(' '),
  );
  const head = ['tool'.padEnd(28), 'calls', 'failed', 'median', 'slowest']
    .map((cell) => cell.padStart(8))
    .join(' ');
  const losses = unreadable + dropped > 0 ? `, ${unreadable} unreadable, ${dropped} dropped` : '';
  return `${[head, ...rows].join('\n')}\n${counted(records, 'record')}${losses}; times in ms\n`;
}
