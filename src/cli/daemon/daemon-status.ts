/** `forerun daemon status`: the running brokers and their state. */
import { askBroker } from '../../broker/broker-client.ts';
import { type KnownBroker, knownBrokers } from '../../broker/running-brokers.ts';
import { residentBytesOf } from '../../process/process-memory.ts';
import { counted } from '../../text/counted-noun.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { type ColorChoice, type Palette, paletteFor } from '../print/palette.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { brokersHere } from './daemon-selection.ts';

interface StatusOptions {
  readonly format: 'human' | 'json';
  readonly color: ColorChoice;
}

export async function daemonStatus({ signal }: ProcessLifetime, options: StatusOptions): Promise<ExitCode> {
  const known = knownBrokers(brokersHere(), process.env);
  const [states, memory] = await Promise.all([
    Promise.all(known.map(({ record }) => record && askBroker(record.socket_path, signal))),
    residentBytesOf(known.map(({ pid }) => pid)),
  ]);
  const lines = known.map((broker, index) => lineOf(broker, states[index], memory.get(broker.pid)));
  if (options.format === 'json') process.stdout.write(`${JSON.stringify(lines, undefined, 2)}\n`);
  else process.stdout.write(reportOf(lines, paletteFor(options.color, process.stdout, process.env)));
  return exitCodes.good;
}

interface BrokerLine {
  readonly server: string;
  readonly language: string;
  readonly root_dir: string;
  readonly pid: number;
  readonly state: 'ready' | 'indexing' | 'starting' | 'silent';
  readonly busy_with: readonly string[];
  readonly clients: number;
  /** Process ids of the language servers. */
  readonly servers: readonly number[];
  /** Of the broker and all its child processes; absent if the system does not tell. */
  readonly memory_bytes?: number;
  readonly uptime_seconds: number;
  readonly last_activity: string;
  readonly version: string;
}

type BrokerAnswer = Awaited<ReturnType<typeof askBroker>>;

function stateOf(reported: BrokerAnswer): BrokerLine['state'] {
  if (!reported) return 'silent';
  return reported.ready ? 'ready' : 'indexing';
}

function lineOf(
  { pid, record }: KnownBroker,
  reported: BrokerAnswer,
  memory: number | undefined,
): BrokerLine {
  const started = record ? Date.parse(record.start_time) : Date.now();
  return {
    server: record?.server ?? '',
    language: record?.language_id ?? '',
    root_dir: record?.root_dir ?? '',
    pid,
    state: record === undefined ? 'starting' : stateOf(reported),
    busy_with: reported?.busyWith ?? [],
    clients: reported?.clients ?? 0,
    servers: reported?.servers ?? [],
    ...(memory !== undefined && { memory_bytes: memory }),
    uptime_seconds: Math.max(0, Math.round((Date.now() - started) / 1000)),
    last_activity: reported?.lastActivity ?? record?.last_activity ?? '',
    version: record?.version ?? '',
  };
}

function reportOf(lines: readonly BrokerLine[], palette: Palette): string {
  if (lines.length === 0) return 'No active daemons.\n';
  return lines.map((line) => `${textOf(line, palette)}\n`).join('');
}

function textOf(line: BrokerLine, palette: Palette): string {
  const { state, busy_with: busy, memory_bytes: bytes } = line;
  const paint = {
    ready: palette.good,
    indexing: palette.warning,
    starting: palette.warning,
    silent: palette.error,
  };
  const doing = state === 'indexing' && busy.length > 0 ? ` (${busy.join(', ')})` : '';
  const facts = [
    `PID ${line.pid}`,
    paint[state](state) + doing,
    counted(line.clients, 'client'),
    ...(bytes === undefined ? [] : [`${Math.round(bytes / 1024 / 1024)} MB`]),
    `up ${durationOf(line.uptime_seconds)}`,
  ];
  return `${palette.strong(line.server || 'a server')}  ${line.root_dir}  ${facts.join('  ')}`;
}

function durationOf(seconds: number): string {
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${seconds % 60}s`;
  return `${Math.floor(seconds / 3600)}h${Math.floor((seconds % 3600) / 60)}m`;
}
