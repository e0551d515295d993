/** The brokers a process uses, and the command that starts one. */
import { join } from 'node:path';
import type { Log } from '../base/log.ts';
import { WarmBrokers } from '../broker/warm-brokers.ts';
import type { WarmServers } from '../servers/pool/warm-servers.ts';
import type { DaemonChoice } from './daemon-choice.ts';
import { packageRoot } from './package-root.ts';
import { version } from './version.ts';

export function warmBrokersOf(
  use: DaemonChoice,
  { env, log }: { readonly env: NodeJS.ProcessEnv; readonly log: Log },
): WarmServers | undefined {
  if (use === 'off') return undefined;
  const command = [process.execPath, join(packageRoot(), 'bin', 'forerun.js'), 'daemon', 'run'];
  const timeoutMs = Number(env.AGENT_LSP_BROKER_TIMEOUT_MS);
  return new WarmBrokers({ use, version, command, env, log, ...(timeoutMs > 0 && { timeoutMs }) });
}
