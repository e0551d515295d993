/** `forerun daemon stop`: stops brokers and their servers. */
import { stopBroker } from '../../broker/stop-broker.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { type Selection, selectBrokers } from './daemon-selection.ts';

export interface StopOptions extends Selection {
  readonly all?: boolean | undefined;
}

export async function daemonStop(
  { signal }: ProcessLifetime,
  { all, root, language }: StopOptions,
): Promise<ExitCode> {
  if (!all && (root === undefined || language === undefined)) {
    process.stderr.write('usage: forerun daemon stop --all | --root <dir> --language <language>\n');
    return exitCodes.bad;
  }
  const brokers = await selectBrokers(all ? {} : { root, language });
  await Promise.all(brokers.map((broker) => stopBroker(broker, process.env, signal)));
  if (brokers.length === 0) process.stdout.write('No active daemons.\n');
  for (const { pid, record } of brokers) {
    process.stdout.write(
      `stopped ${record?.server ?? 'a daemon'} for ${record?.root_dir ?? '?'} (PID ${pid})\n`,
    );
  }
  return exitCodes.good;
}
