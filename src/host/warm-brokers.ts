/** The brokers a process uses, and the command that starts one. */
import { join } from 'node:path';
import type { Log } from '../base/log.ts';
import { WarmBrokers } from '../broker/warm-brokers.ts';
import type { DaemonChoice } from '../config/daemon-choice.ts';
import type { WarmServers } from '../servers/pool/warm-servers.ts';
import { packageRoot } from './package-root.ts';
import { brokerHome, type ProcessSettings } from './user-settings.ts';
import { version } from './version.ts';

export function warmBrokersOf(
  use: DaemonChoice,
  {
    settings,
    env,
    log,
  }: {
    readonly settings: Pick<ProcessSettings, 'daemon'>;
    readonly env: NodeJS.ProcessEnv;
    readonly log: Log;
  },
): WarmServers | undefined {
  if (use === 'off') return undefined;
  const command = [process.execPath, join(packageRoot(), 'bin', 'forerun.js'), 'daemon', 'run'];
  const home = brokerHome(settings, env);
  return new WarmBrokers({ use, home, version, command, env, log, timeoutMs: settings.daemon.startMs });
}
