/**
 * Records the tool calls of one connection.
 *
 * Invariant: a record names what was touched and never holds file contents. Only the beginnings of replaced and
 * replacing texts are recorded, and not even those if previews are off.
 */
import type { LogRecord } from '../base/log.ts';
import { isRecord } from '../base/record.ts';
import type { AuditLog } from '../storage/audit-log.ts';
import { editSummary } from './edit-summary.ts';
import { fileOf } from './formatted-location.ts';
import type { DiagnosticCounts, ToolResult } from './tool-result.ts';

export interface AuditTrailOptions {
  /** Distinguishes the calls of this connection from those of others. */
  readonly connection: string;
  readonly previews: 'kept' | 'left-out';
}

export interface AuditedCall {
  readonly tool: { readonly name: string; readonly effect: string };
  /** As the caller sent them. */
  readonly arguments: unknown;
  readonly result: ToolResult;
  readonly durationMs: number;
}

export class AuditTrail {
  readonly #log: AuditLog;
  readonly #options: AuditTrailOptions;

  constructor(log: AuditLog, options: AuditTrailOptions) {
    this.#log = log;
    this.#options = options;
  }

  /** Resolves when the record is queued. If the disk falls behind, the call waits here. */
  record(call: AuditedCall): Promise<void> {
    const { tool, result, durationMs } = call;
    const input = isRecord(call.arguments) ? call.arguments : {};
    const payload =
      result.payload.kind === 'json' && isRecord(result.payload.value) ? result.payload.value : {};
    const summary = editSummary(tool.name, input, this.#options.previews);
    const sessionId = stringAt(input, 'session_id') ?? stringAt(payload, 'session_id');
    const files = [...new Set([...filesOf(input), ...(result.landed?.files ?? [])])];
    return this.#log.record({
      timestamp: new Date().toISOString(),
      tool: tool.name,
      ...(sessionId !== undefined && { session_id: sessionId }),
      files,
      ...(summary && { edit_summary: summary }),
      ...diagnosticsOf(result, payload),
      success: !result.isError,
      ...(result.isError && errorOf(result)),
      duration_ms: durationMs,
      effect: tool.effect,
      connection: this.#options.connection,
    });
  }

  /** Records an event that is not a call, such as the start of a skill's phase. */
  async note({ event, fields, level }: LogRecord): Promise<void> {
    await this.#log.record({
      timestamp: new Date().toISOString(),
      tool: event,
      files: [],
      edit_summary: { mode: 'phase_enforcement', target: JSON.stringify(fields) },
      success: level !== 'warning' && level !== 'error',
      duration_ms: 0,
      connection: this.#options.connection,
    });
  }
}

const longestMessage = 500;

function errorOf({ payload, meta }: ToolResult): Readonly<Record<string, unknown>> {
  const message = payload.kind === 'text' ? payload.text : JSON.stringify(payload.value);
  return {
    error_message: message.slice(0, longestMessage),
    ...(meta?.code !== undefined && { code: meta.code }),
  };
}

/** The effect of a committed edit on the diagnostics of its files, or the predicted effect of a preview. */
function diagnosticsOf(
  { landed }: ToolResult,
  payload: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { before, after } = landed ?? {};
  const delta = deltaOf(payload) ?? (before && after && difference(before, after));
  return {
    ...(before && { diagnostics_before: wireCounts(before) }),
    ...(after && { diagnostics_after: wireCounts(after) }),
    ...(delta && { net_delta: delta }),
  };
}

function wireCounts({ errors, warnings, files }: DiagnosticCounts): Readonly<Record<string, unknown>> {
  return { error_count: errors, warning_count: warnings, files_checked: files };
}

interface Delta {
  readonly errors: number;
  readonly warnings: number;
}

function difference(before: Delta, after: Delta): Delta {
  return { errors: after.errors - before.errors, warnings: after.warnings - before.warnings };
}

/** A verdict also covers dependent files, so it is preferred to the count of the edited files. */
function deltaOf({ errors_delta, warnings_delta }: Readonly<Record<string, unknown>>): Delta | undefined {
  if (typeof errors_delta !== 'number' || typeof warnings_delta !== 'number') return undefined;
  return { errors: errors_delta, warnings: warnings_delta };
}

/** Every file named anywhere in the arguments. */
function filesOf(input: unknown): readonly string[] {
  return pathsIn(input).map((path) => (/^file:/i.test(path) ? fileOf(path) : path));
}

function pathsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(pathsIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member === 'string') return pathNames.has(name) ? [member] : [];
    if (name === 'changed_files' && Array.isArray(member)) return member.filter(isText);
    // In a workspace edit, the files are the property names.
    if (name === 'changes' && isRecord(member)) return Object.keys(member);
    return pathsIn(member);
  });
}

const pathNames: ReadonlySet<string> = new Set(['file_path', 'uri', 'oldUri', 'newUri']);

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function stringAt(object: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
}
