/**
 * `forerun daemon run`: the process of a broker. It is not for users: the client that needs its servers starts it and
 * sends a launch specification on standard input.
 */

import { closeSync, writeSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { errnoOf } from '../../base/errno.ts';
import { Failure } from '../../base/failure.ts';
import { isAtLeast, Log, type LogLevel } from '../../base/log.ts';
import { type BrokerLaunchSpec, identityOf, parseOrder } from '../../broker/broker-launch-spec.ts';
import { runBroker } from '../../broker/broker-process.ts';
import { answerDescriptor } from '../../broker/broker-spawn.ts';
import { allowedTiers } from '../../config/allowed-tiers.ts';
import { levelOfEnvironment } from '../../config/environment.ts';
import { announceStatus } from '../../host/status/announce-status.ts';
import { userSettings } from '../../host/user-settings.ts';
import { trustStore } from '../../host/user-trust.ts';
import { version } from '../../host/version.ts';
import type { WorkspaceRegistry } from '../../live/workspace-registry.ts';
import { lineOf } from '../../mcp/log-sink.ts';
import { parseServerSpecs } from '../../servers/server-config.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { brokersHere } from './daemon-selection.ts';

/** A launch specification given as arguments, for starting a broker by hand. */
export interface SpokenOrder {
  readonly rootDir?: string;
  readonly language?: string;
  /** The program and its arguments, separated by commas. */
  readonly command?: string;
}

export async function daemonRun(
  { signal, closing }: ProcessLifetime,
  spoken: SpokenOrder,
): Promise<ExitCode> {
  const order = await orderOf(spoken);
  const { env } = process;
  const settings = userSettings(env, brokerLog());
  const log = brokerLog(settings.log.level);
  const { idleMs } = settings.daemon;
  const announce = (workspaces: WorkspaceRegistry): Promise<AsyncDisposable> =>
    announceStatus({
      command: 'forerun daemon',
      describe: () => ({ workspaces, sessions: [] }),
      env,
      log,
    });
  const { memoryMegabytes } = settings.servers;
  const tiers = () => allowedTiers(env, settings.sandbox.tiers);
  const limits = { idleMs, memoryMegabytes, tiers };
  await runBroker({ order, ...limits, env, log, tell, describe: announce, closing }, signal);
  return exitCodes.good;
}

async function orderOf({ rootDir, language, command }: SpokenOrder): Promise<BrokerLaunchSpec> {
  if (rootDir === undefined) {
    const order = parseOrder(await text(process.stdin));
    if (!order) throw new NoOrder();
    return order;
  }
  const [definition] = parseServerSpecs([`${language ?? ''}:${command ?? ''}`]);
  if (!definition) throw new NoOrder();
  const located = { definition, command: definition.command };
  const { root } = await Workspace.open(rootDir);
  const trust = trustStore({ env: process.env, log: brokerLog() }).trustOf(root);
  return {
    home: brokersHere(),
    root,
    located,
    trust,
    version,
    identity: identityOf(located, trust, process.env),
  };
}

/** The process that started the broker may have stopped waiting for the answer. */
function tell(answer: string): void {
  try {
    writeSync(answerDescriptor, `${answer}\n`);
    closeSync(answerDescriptor);
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
  }
}

/** Standard error is a log file, so every line has a time stamp. */
function brokerLog(threshold: LogLevel = levelOfEnvironment(process.env).level ?? 'info'): Log {
  return new Log((record) => {
    if (!isAtLeast(record.level, threshold)) return;
    process.stderr.write(`${new Date().toISOString()} ${process.pid} ${lineOf(record)}\n`);
  });
}

class NoOrder extends Failure {
  readonly code = 'cli/no-broker-order';
  readonly remedy =
    'Use a command that needs language servers; it starts brokers itself. `forerun daemon status` lists them.';

  constructor() {
    super('no launch specification was given on standard input');
  }
}
