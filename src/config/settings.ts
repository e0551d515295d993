/**
 * All settings: type, default and meaning.
 *
 * Invariant: defaults are defined only here. Settings of a workspace may narrow what the user allows, never widen it,
 * and never contain a key.
 */
import { z } from 'zod';
import type { PermissionMode } from '../agent/permission/permission-guard.ts';
import { logLevels } from '../base/log.ts';
import { addressOf, isLoopback } from '../model/model-endpoint.ts';
import { thinkingLevels } from '../model/model-request.ts';
import { providerNames } from '../model/provider.ts';
import { daemonChoices } from './daemon-choice.ts';

const permissionModes = [
  'default',
  'acceptEdits',
  'plan',
  'bypassPermissions',
] as const satisfies readonly PermissionMode[];

const sandboxTiers = ['isolated', 'copied', 'readonly'] as const;

const rules = z.array(z.string().min(1)).default([]);

const secret = z.string().min(1).optional();

const days = (usual: number) => z.int().min(1).max(36_500).default(usual);
const megabytes = (usual: number) => z.int().min(1).max(1_000_000).default(usual);

const settingsSchema = z.object({
  model: z
    .object({
      provider: z.enum(providerNames).optional().describe('provider of the model; detected if not set'),
      name: z
        .string()
        .min(1)
        .optional()
        .describe('name of the model at its provider; overridden by FORERUN_MODEL'),
      baseUrl: z
        .string()
        .refine(isAddress, 'an address such as http://127.0.0.1:11434')
        .optional()
        .describe('base URL of the provider; overridden by FORERUN_BASE_URL'),
      temperature: z
        .number()
        .min(0)
        .max(2)
        .default(0)
        .describe('sampling temperature; 0 always takes the most likely token'),
      maxTokens: z.int().min(1).default(8192).describe('maximum length of one answer in tokens'),
      contextTokens: z.int().min(2048).optional().describe('context size requested from a local server'),
      thinking: z.enum(thinkingLevels).default('off').describe('how much the model thinks before it answers'),
    })
    .prefault({}),
  keys: z
    .object({
      anthropic: secret.describe('API key for Anthropic; overridden by ANTHROPIC_API_KEY'),
      openai: secret.describe('API key for OpenAI; overridden by OPENAI_API_KEY'),
      'openai-compatible': secret.describe('API key for any other server; overridden by FORERUN_API_KEY'),
      http: secret.describe(
        'token that clients of the HTTP server must present; overridden by FORERUN_TOKEN',
      ),
      queue: secret.describe(
        'secret by which callers and workers of a queue sign jobs; overridden by FORERUN_QUEUE_SECRET',
      ),
    })
    .prefault({}),
  speculation: z
    .object({
      enabled: z
        .boolean()
        .default(true)
        .describe('work ahead of the user while they read; overridden by FORERUN_SPECULATION'),
      enterRuns: z.boolean().default(false).describe('Enter on an empty prompt runs the suggestion'),
      depth: z.int().min(1).max(5).default(1).describe('number of suggestions to work ahead'),
      sessionTokens: z.int().min(0).default(1_000_000).describe('token budget for working ahead in one chat'),
      dailyTokens: z.int().min(0).default(2_000_000).describe('token budget for working ahead per day'),
    })
    .prefault({}),
  permissions: z
    .object({
      mode: z.enum(permissionModes).default('default').describe('what the agent may do without asking'),
      allow: rules.describe('rules for calls that are allowed without asking'),
      deny: rules.describe('rules for calls that are always denied'),
    })
    .prefault({}),
  trust: z
    .object({
      folders: rules.describe('folders in which every workspace may run its own programs'),
    })
    .prefault({}),
  servers: z
    .object({
      memoryMegabytes: z
        .int()
        .min(1)
        .optional()
        .describe('memory limit of all language servers together; overridden by FORERUN_MEMORY_MB'),
      load: z
        .enum(['parts', 'everything'])
        .default('parts')
        .describe(
          'how much of a large workspace a server loads at first; FORERUN_SCOPE=off loads everything',
        ),
      cacheDirectory: z
        .string()
        .min(1)
        .optional()
        .describe('directory for cached answers of servers, or off; overridden by FORERUN_CACHE_DIR'),
    })
    .prefault({}),
  daemon: z
    .object({
      use: z
        .enum(daemonChoices)
        .default('auto')
        .describe('whether servers are shared between processes; overridden by FORERUN_DAEMON'),
      directory: z
        .string()
        .min(1)
        .optional()
        .describe('directory for records of shared servers; overridden by FORERUN_DAEMON_DIR'),
      idleMs: z
        .int()
        .min(1)
        .default(1_800_000)
        .describe('how long a shared server runs without a client; overridden by FORERUN_DAEMON_IDLE_MS'),
      startMs: z
        .int()
        .min(1)
        .default(30_000)
        .describe('how long a shared server may take to start; overridden by AGENT_LSP_BROKER_TIMEOUT_MS'),
    })
    .prefault({}),
  queue: z
    .object({
      url: z
        .string()
        .regex(/^rediss?:\/\//, 'an address such as redis://127.0.0.1:6379')
        .optional()
        .describe('address of the queue of evaluations, redis:// or rediss://; overridden by FORERUN_QUEUE'),
      callerJobs: z
        .int()
        .min(1)
        .max(10_000)
        .default(64)
        .describe('number of jobs that one caller may have in the queue at once'),
      callerJobsPerMinute: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(6000)
        .describe('number of jobs that one caller may add to the queue within a minute'),
    })
    .prefault({}),
  sandbox: z
    .object({
      tiers: z
        .array(z.enum(sandboxTiers))
        .min(1)
        .default(['isolated', 'readonly'])
        .describe('tiers in which commands may run, preferred first; overridden by FORERUN_SANDBOX'),
    })
    .prefault({}),
  audit: z
    .object({
      file: z
        .string()
        .min(1)
        .optional()
        .describe('file for the audit log of tool calls, or off; overridden by FORERUN_AUDIT_LOG'),
      previews: z
        .boolean()
        .default(true)
        .describe(
          'whether the audit log shows the beginning of edited texts; overridden by FORERUN_AUDIT_PREVIEWS',
        ),
    })
    .prefault({}),
  log: z
    .object({
      level: z
        .enum(logLevels)
        .optional()
        .describe('minimum level of log messages; overridden by FORERUN_LOG_LEVEL'),
    })
    .prefault({}),
  storage: z
    .object({
      conversationDays: days(180).describe(
        'days that conversations and typed lines are kept after their last use',
      ),
      conversationMegabytes: megabytes(1024).describe('disk space for conversations'),
      sessionDays: days(30).describe(
        'days that sessions and unrecoverable journals are kept after their last use',
      ),
      sessionMegabytes: megabytes(500).describe('disk space for sessions'),
      cacheDays: days(30).describe('days that caches are kept after their last use'),
      cacheMegabytes: megabytes(2048).describe('disk space for each cache'),
      logDays: days(90).describe('days that logs are kept after their last line'),
      logMegabytes: megabytes(200).describe('disk space for each kind of log'),
    })
    .prefault({}),
  tools: z.record(z.string().min(1), z.boolean()).default({}).describe('tools to turn on or off, by name'),
});

export type Settings = z.infer<typeof settingsSchema>;

/** One setting with its name, such as `model.name`. */
export interface SettingKey {
  readonly key: string;
  readonly group: string;
  readonly name: string;
  readonly schema: z.ZodType;
  readonly about: string;
  readonly kind: 'plain' | 'list' | 'secret';
  /** Whether a workspace may set this value. */
  readonly isOpenToProjects: (value: unknown) => boolean;
}

const listKeys: readonly string[] = ['permissions.allow', 'permissions.deny', 'trust.folders'];

/** The settings with fixed names, in display order. */
export const settingKeys: readonly SettingKey[] = Object.entries(settingsSchema.shape).flatMap(
  ([group, schema]) =>
    schema instanceof z.ZodPrefault
      ? Object.entries(schema.unwrap().shape).map(([name, leaf]) => settingKey({ group, name, leaf }))
      : [],
);

/** The setting of a name; undefined if there is none. Every tool name is valid. */
export function settingKeyOf(key: string): SettingKey | undefined {
  const known = settingKeys.find((setting) => setting.key === key);
  if (known || !key.startsWith('tools.')) return known;
  const name = key.slice('tools.'.length);
  return name === '' ? undefined : settingKey({ group: 'tools', name, leaf: z.boolean() });
}

/** The groups of a settings file. */
export const settingGroups: readonly string[] = Object.keys(settingsSchema.shape);

/** Settings from checked values; all others have their defaults. */
export function settingsOf(values: ReadonlyMap<string, ReadonlyMap<string, unknown>>): Settings {
  const groups = [...values].map(([group, members]) => [group, Object.fromEntries(members)] as const);
  return settingsSchema.parse(Object.fromEntries(groups));
}

function settingKey(parts: { group: string; name: string; leaf: z.ZodType }): SettingKey {
  const { group, name, leaf } = parts;
  const key = `${group}.${name}`;
  return {
    key,
    group,
    name,
    schema: leaf,
    about: leaf.description ?? '',
    // The address of a queue may contain its password.
    kind: group === 'keys' || key === 'queue.url' ? 'secret' : listKeys.includes(key) ? 'list' : 'plain',
    isOpenToProjects: (value) => isOpenToProjects(group, key, value),
  };
}

/**
 * Whether a workspace may set a value. A server address would receive the user's key; a wider permission, a larger
 * budget or a setting that runs programs must be the user's choice.
 */
function isOpenToProjects(group: string, key: string, value: unknown): boolean {
  if (usersGroups.includes(group)) return false;
  if (group === 'tools') return value === false;
  switch (key) {
    case 'model.baseUrl':
      return typeof value === 'string' && isLoopback(value);
    case 'speculation.enterRuns':
      return value === false;
    case 'permissions.mode':
      return value === 'default' || value === 'plan';
    case 'speculation.sessionTokens':
    case 'speculation.dailyTokens':
    case 'permissions.allow':
      return false;
    default:
      return true;
  }
}

/** A workspace cannot decide about trust, how programs run, and how the user's data is stored. */
const usersGroups: readonly string[] = [
  'keys',
  'trust',
  'servers',
  'daemon',
  'queue',
  'sandbox',
  'audit',
  'log',
  'storage',
];

function isAddress(value: string): boolean {
  try {
    return addressOf('openai-compatible', value) !== '';
  } catch {
    return false;
  }
}
