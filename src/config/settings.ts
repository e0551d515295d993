/**
 * Every setting there is: its type, its default and what it is for.
 *
 * Invariant: a default stands here and nowhere else. What a workspace brings along may narrow what a user allowed,
 * never widen it, and never sees a key.
 */
import { z } from 'zod';
import type { PermissionMode } from '../agent/permission/permission-guard.ts';
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
      provider: z.enum(providerNames).optional().describe('who runs the model; looked for when not set'),
      name: z
        .string()
        .min(1)
        .optional()
        .describe('the model, as its provider names it; FORERUN_MODEL comes first'),
      baseUrl: z
        .string()
        .refine(isAddress, 'an address such as http://127.0.0.1:11434')
        .optional()
        .describe('where the provider answers; FORERUN_BASE_URL comes first'),
      temperature: z.number().min(0).max(2).default(0).describe('0 takes the likeliest word every time'),
      maxTokens: z.int().min(1).default(8192).describe('the most one answer may hold'),
      contextTokens: z.int().min(2048).optional().describe('the context asked of a local server'),
      thinking: z.enum(thinkingLevels).default('off').describe('how much the model thinks before it answers'),
    })
    .prefault({}),
  keys: z
    .object({
      anthropic: secret.describe('key for Anthropic; ANTHROPIC_API_KEY comes first'),
      openai: secret.describe('key for OpenAI; OPENAI_API_KEY comes first'),
      'openai-compatible': secret.describe('key for any other server; FORERUN_API_KEY comes first'),
      http: secret.describe('token that clients of forerun mcp --http present; FORERUN_TOKEN comes first'),
    })
    .prefault({}),
  speculation: z
    .object({
      enabled: z
        .boolean()
        .default(true)
        .describe('work ahead of the user while they read; FORERUN_SPECULATION comes first'),
      enterRuns: z.boolean().default(false).describe('Enter on an empty prompt runs the suggestion'),
      depth: z.int().min(1).max(5).default(1).describe('how many suggestions ahead to work'),
      sessionTokens: z
        .int()
        .min(0)
        .default(1_000_000)
        .describe('the most to spend on working ahead in one chat'),
      dailyTokens: z.int().min(0).default(2_000_000).describe('the most to spend on working ahead in a day'),
    })
    .prefault({}),
  permissions: z
    .object({
      mode: z.enum(permissionModes).default('default').describe('what the agent may do without asking'),
      allow: rules.describe('calls that need no asking'),
      deny: rules.describe('calls that are never made'),
    })
    .prefault({}),
  trust: z
    .object({
      folders: rules.describe('every workspace in one of these folders may run its own programs'),
    })
    .prefault({}),
  servers: z
    .object({
      memoryMegabytes: z
        .int()
        .min(1)
        .optional()
        .describe('the most memory that language servers may take together; FORERUN_MEMORY_MB comes first'),
      load: z
        .enum(['parts', 'everything'])
        .default('parts')
        .describe(
          'how much of a large workspace a server loads at first; FORERUN_SCOPE=off means everything',
        ),
      cacheDirectory: z
        .string()
        .min(1)
        .optional()
        .describe('where answers of servers are cached, or off; FORERUN_CACHE_DIR comes first'),
    })
    .prefault({}),
  daemon: z
    .object({
      use: z
        .enum(daemonChoices)
        .default('auto')
        .describe('whether servers are shared between processes; FORERUN_DAEMON comes first'),
      directory: z
        .string()
        .min(1)
        .optional()
        .describe('where shared servers keep their records; FORERUN_DAEMON_DIR comes first'),
      idleMs: z
        .int()
        .min(1)
        .default(1_800_000)
        .describe('how long a shared server stays without a client; FORERUN_DAEMON_IDLE_MS comes first'),
      startMs: z
        .int()
        .min(1)
        .default(30_000)
        .describe('how long a shared server may take to start; AGENT_LSP_BROKER_TIMEOUT_MS comes first'),
    })
    .prefault({}),
  sandbox: z
    .object({
      tiers: z
        .array(z.enum(sandboxTiers))
        .min(1)
        .default(['isolated', 'readonly'])
        .describe('how commands may run, the preferred way first; FORERUN_SANDBOX comes first'),
    })
    .prefault({}),
  audit: z
    .object({
      file: z
        .string()
        .min(1)
        .optional()
        .describe('where tool calls are recorded, or off; FORERUN_AUDIT_LOG comes first'),
      previews: z
        .boolean()
        .default(true)
        .describe('records show the beginning of edited texts; FORERUN_AUDIT_PREVIEWS comes first'),
    })
    .prefault({}),
  storage: z
    .object({
      conversationDays: days(180).describe(
        'how long conversations and typed lines are kept after their last use',
      ),
      conversationMegabytes: megabytes(1024).describe('how much room conversations may take'),
      sessionDays: days(30).describe(
        'how long sessions and journals set aside are kept after their last use',
      ),
      sessionMegabytes: megabytes(500).describe('how much room sessions may take'),
      cacheDays: days(30).describe('how long caches are kept after their last use'),
      cacheMegabytes: megabytes(2048).describe('how much room each cache may take'),
      logDays: days(90).describe('how long logs are kept after their last line'),
      logMegabytes: megabytes(200).describe('how much room each kind of log may take'),
    })
    .prefault({}),
  tools: z.record(z.string().min(1), z.boolean()).default({}).describe('tools turned on or off by name'),
});

export type Settings = z.infer<typeof settingsSchema>;

/** One setting, by the name people use for it: `model.name`. */
export interface SettingKey {
  readonly key: string;
  readonly group: string;
  readonly name: string;
  readonly schema: z.ZodType;
  readonly about: string;
  readonly kind: 'plain' | 'list' | 'secret';
  /** Whether a workspace may bring this value along. */
  readonly isOpenToProjects: (value: unknown) => boolean;
}

const listKeys: readonly string[] = ['permissions.allow', 'permissions.deny', 'trust.folders'];

/** The settings that have a name of their own, in the order they are shown. */
export const settingKeys: readonly SettingKey[] = Object.entries(settingsSchema.shape).flatMap(
  ([group, schema]) =>
    schema instanceof z.ZodPrefault
      ? Object.entries(schema.unwrap().shape).map(([name, leaf]) => settingKey({ group, name, leaf }))
      : [],
);

/** What a name stands for; undefined where it stands for nothing. Any tool can be named. */
export function settingKeyOf(key: string): SettingKey | undefined {
  const known = settingKeys.find((setting) => setting.key === key);
  if (known || !key.startsWith('tools.')) return known;
  const name = key.slice('tools.'.length);
  return name === '' ? undefined : settingKey({ group: 'tools', name, leaf: z.boolean() });
}

/** The groups of a settings file. */
export const settingGroups: readonly string[] = Object.keys(settingsSchema.shape);

/** Settings from values that have each been checked; what is not among them has its default. */
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
    kind: group === 'keys' ? 'secret' : listKeys.includes(key) ? 'list' : 'plain',
    isOpenToProjects: (value) => isOpenToProjects(group, key, value),
  };
}

/**
 * Whether a workspace may bring a value along. An address would be given the user's key; a wider permission, a larger
 * budget or a key that runs things would be the workspace's choice instead of the user's.
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

/** Whom to trust, how to run what, and what of the user's is kept is not for a workspace to say. */
const usersGroups: readonly string[] = ['keys', 'trust', 'servers', 'daemon', 'sandbox', 'audit', 'storage'];

function isAddress(value: string): boolean {
  try {
    return addressOf('openai-compatible', value) !== '';
  } catch {
    return false;
  }
}
