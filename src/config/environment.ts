/**
 * The environment variables that are settings; no other module names them.
 *
 * Variables needed before the handshake of a client are read here, without the settings schema.
 */
import type { Environment } from '../base/environment.ts';
import { type LogLevel, logLevels } from '../base/log.ts';

/** The variables of each setting. The first one that is set and not empty counts; older names come last. */
export const settingVariables = {
  'model.name': ['FORERUN_MODEL'],
  'model.baseUrl': ['FORERUN_BASE_URL'],
  'keys.http': ['FORERUN_TOKEN', 'AGENT_LSP_TOKEN'],
  'keys.queue': ['FORERUN_QUEUE_SECRET'],
  'queue.url': ['FORERUN_QUEUE'],
  'speculation.enabled': ['FORERUN_SPECULATION'],
  'servers.memoryMegabytes': ['FORERUN_MEMORY_MB'],
  'servers.load': ['FORERUN_SCOPE'],
  'servers.cacheDirectory': ['FORERUN_CACHE_DIR'],
  'daemon.use': ['FORERUN_DAEMON'],
  'daemon.directory': ['FORERUN_DAEMON_DIR', 'AGENT_LSP_DAEMON_DIR'],
  'daemon.idleMs': ['FORERUN_DAEMON_IDLE_MS'],
  'daemon.startMs': ['AGENT_LSP_BROKER_TIMEOUT_MS'],
  'sandbox.tiers': ['FORERUN_SANDBOX'],
  'audit.file': ['FORERUN_AUDIT_LOG', 'AGENT_LSP_AUDIT_LOG'],
  'audit.previews': ['FORERUN_AUDIT_PREVIEWS'],
  'log.level': ['FORERUN_LOG_LEVEL', 'AGENT_LSP_LOG_LEVEL', 'LOG_LEVEL'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type VariableSetting = keyof typeof settingVariables;

export interface GivenVariable {
  readonly variable: string;
  readonly text: string;
}

/** The value of a setting in the environment; undefined if there is none. */
export function variableOf(env: Environment, setting: VariableSetting): GivenVariable | undefined {
  return firstOf(env, settingVariables[setting]);
}

/** A comma-separated list in a variable. */
export function wordsOf(given: GivenVariable | undefined): readonly string[] {
  const words = (given?.text ?? '').split(',').map((word) => word.trim());
  return words.filter((word) => word !== '');
}

/**
 * The log level in the environment, for the records before the settings are read. An unknown level is returned so that
 * the caller can warn about it.
 */
export function levelOfEnvironment(env: Environment): {
  readonly level?: LogLevel;
  readonly unknown?: string;
} {
  const given = variableOf(env, 'log.level');
  if (!given) return {};
  const level = logLevels.find((known) => known === given.text.toLowerCase());
  return level ? { level } : { unknown: given.text };
}

function firstOf(env: Environment, names: readonly string[]): GivenVariable | undefined {
  for (const variable of names) {
    const text = env[variable];
    if (text) return { variable, text };
  }
  return undefined;
}
