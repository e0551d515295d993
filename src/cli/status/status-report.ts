/** The running processes as text, each with its servers and sessions. */

import type { RunningProcess } from '../../host/status/running-processes.ts';
import type { StatusDocument } from '../../host/status/status-document.ts';
import { counted } from '../../text/counted-noun.ts';
import type { Palette } from '../print/palette.ts';
import { type Cell, tableText } from '../print/table.ts';

export function statusReport(processes: readonly RunningProcess[], palette: Palette): string {
  if (processes.length === 0) return 'No forerun process of this user is serving.\n';
  return processes.map((process) => section(process, palette)).join('\n');
}

function section(process: RunningProcess, palette: Palette): string {
  if (process.kind === 'silent') return `pid ${process.pid}  ${palette.warning('does not answer')}\n`;
  const { status } = process;
  const { budget_bytes: budget, used_bytes: used } = status.server_memory;
  const facts = [
    `pid ${status.pid}`,
    `up ${durationText(status.age_ms)}`,
    megabytes(status.memory_bytes),
    ...(budget > 0 ? [`servers use ${megabytes(used)} of ${megabytes(budget)}`] : []),
    ...(status.queue > 0 ? [palette.warning(`${status.queue} waiting`)] : []),
    counted(status.sessions.length, 'session'),
  ];
  const rows = [
    ...status.servers.map((server) => serverRow(server, palette)),
    ...status.sessions.map((session) => sessionRow(session)),
  ];
  const table = tableText(rows)
    .split('\n')
    .map((line) => (line === '' ? line : `  ${line}`))
    .join('\n');
  return `${palette.strong(status.door)}  ${facts.join(', ')}\n${table}`;
}

function serverRow(server: StatusDocument['servers'][number], palette: Palette): readonly Cell[] {
  const { name, workspace, way, state, pid, memory_bytes: bytes, age_ms: age } = server;
  const paint = { busy: palette.warning, idle: palette.good, starting: palette.faint }[state];
  return [
    { text: name },
    { text: state, paint },
    { text: workspace },
    { text: way },
    { text: pid === undefined ? '' : `pid ${pid}` },
    { text: bytes === undefined ? '' : megabytes(bytes), align: 'right' },
    { text: age === undefined ? '' : durationText(age), align: 'right' },
  ];
}

function sessionRow(session: StatusDocument['sessions'][number]): readonly Cell[] {
  const { id, state, workspace, language, edits, age_ms: age } = session;
  return [
    { text: `session ${id.slice(0, 8)}` },
    { text: state },
    { text: workspace },
    { text: language },
    { text: counted(edits, 'edit') },
    { text: '' },
    { text: durationText(age), align: 'right' },
  ];
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d`;
}
