/**
 * Stops a broker of another process.
 *
 * Invariant: when this resolves, its process has exited, and its servers with it.
 */
import { Deadline } from '../base/deadline.ts';
import type { Environment } from '../base/environment.ts';
import { changeIn } from '../process/directory-change.ts';
import { isLiving } from '../process/living-process.ts';
import { ownerOf } from './broker-claim.ts';
import { BrokerClient } from './broker-client.ts';
import { type KnownBroker, sweepBroker } from './running-brokers.ts';

/** How long a broker may take to stop in order; a language server may take three seconds of that. */
const graceMs = 8000;

/** Asks the broker to stop, or sends SIGTERM if it cannot be reached; sends SIGKILL if it does not exit. */
export async function stopBroker(broker: KnownBroker, env: Environment, signal: AbortSignal): Promise<void> {
  using line = broker.record && (await BrokerClient.open(broker.record.socket_path, signal));
  if (line) await line.stop(signal);
  else kill(broker, 'SIGTERM');
  using deadline = new Deadline(graceMs, signal);
  try {
    await gone(broker, deadline.signal);
  } catch (thrown) {
    if (!deadline.expired) throw thrown;
    kill(broker, 'SIGKILL');
    await gone(broker, signal);
  }
  sweepBroker(broker.directory, env);
}

/** Its claim is released a moment before the process exits. */
async function gone(broker: KnownBroker, signal: AbortSignal): Promise<void> {
  while (isLiving(broker)) await changeIn(broker.directory, signal);
}

/** Only the process that is known to be the broker, never another that reuses its id. */
function kill(broker: KnownBroker, how: 'SIGTERM' | 'SIGKILL'): void {
  if (ownerOf(broker)?.pid === broker.pid) process.kill(broker.pid, how);
}
