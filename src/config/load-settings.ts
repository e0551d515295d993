/**
 * The effective settings: defaults, then the user's file, the project's, the environment, flags.
 *
 * Invariant: a later source replaces an earlier one, but lists of rules are joined: a denied call stays denied.
 */

import { readFile } from 'node:fs/promises';
import type { Environment } from '../base/environment.ts';
import { errnoOf } from '../base/errno.ts';
import { messageOf } from '../base/failure.ts';
import { providerNames } from '../model/provider.ts';
import { type GivenVariable, type VariableSetting, variableOf, wordsOf } from './environment.ts';
import { type SettingKey, type Settings, settingKeyOf, settingKeys, settingsOf } from './settings.ts';
import {
  BrokenSettings,
  checked,
  InvalidSetting,
  readSettings,
  type SettingsText,
  type SettingsValue,
  UnknownSetting,
} from './settings-file.ts';

export type SettingOrigin = 'default' | 'user' | 'project' | 'environment' | 'flag';

export interface LoadedSettings {
  readonly settings: Settings;
  /** Every setting with its value and origin, in display order. */
  readonly entries: readonly SettingEntry[];
  readonly warnings: readonly string[];
}

export interface SettingEntry {
  readonly setting: SettingKey;
  readonly value: unknown;
  readonly origin: SettingOrigin;
}

export interface SettingsPlaces {
  readonly user: string;
  readonly project: string;
}

export interface SettingsSources {
  readonly files: SettingsPlaces;
  readonly env: Environment;
  /** Values by the name of their setting. */
  readonly flags?: Readonly<Record<string, unknown>>;
}

export async function loadSettings(sources: SettingsSources, signal: AbortSignal): Promise<LoadedSettings> {
  const { user, project } = sources.files;
  const texts = await Promise.all([
    readSource(user, 'user', signal),
    // In the directory of the user's settings, the project file is the user's own.
    project === user ? [] : readSource(project, 'project', signal),
  ]);
  return mergeSettings(texts.flat(), sources);
}

/** The content of one file. */
export async function readSource(
  file: string,
  owner: SettingsText['owner'],
  signal: AbortSignal,
): Promise<readonly SettingsText[]> {
  try {
    return [{ file, owner, text: await readFile(file, { encoding: 'utf8', signal }) }];
  } catch (cause) {
    signal.throwIfAborted();
    if (isAbsence(cause)) return [];
    throw new BrokenSettings(`${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

export function mergeSettings(
  texts: readonly SettingsText[],
  { env, flags = {} }: Pick<SettingsSources, 'env' | 'flags'>,
): LoadedSettings {
  const merged = new Merged();
  const warnings = merged.takeFiles(texts);
  for (const value of environmentValues(env)) merged.take(value, 'environment');
  for (const value of lenientValues(env, warnings)) merged.take(value, 'environment');
  for (const value of flagValues(flags)) merged.take(value, 'flag');
  return { ...merged.outcome(), warnings };
}

/**
 * Like `mergeSettings`, without the variables that only a chat needs: an invalid one must not fail another command.
 */
export function processSettings(texts: readonly SettingsText[], env: Environment): LoadedSettings {
  const merged = new Merged();
  const warnings = merged.takeFiles(texts);
  for (const value of lenientValues(env, warnings)) merged.take(value, 'environment');
  return { ...merged.outcome(), warnings };
}

class Merged {
  readonly #entries = new Map<string, SettingEntry>();

  /** Returns the warnings. */
  takeFiles(texts: readonly SettingsText[]): string[] {
    const warnings: string[] = [];
    for (const text of texts) {
      const reading = readSettings(text);
      warnings.push(...reading.warnings);
      for (const value of reading.values) this.take(value, text.owner);
    }
    return warnings;
  }

  take({ setting, value }: SettingsValue, origin: SettingOrigin): void {
    const before = this.#entries.get(setting.key)?.value;
    const isAdded = setting.kind === 'list' && Array.isArray(before) && Array.isArray(value);
    const sum = isAdded ? [...new Set([...before, ...value])] : value;
    this.#entries.set(setting.key, { setting, value: sum, origin });
  }

  outcome(): Omit<LoadedSettings, 'warnings'> {
    const groups = new Map<string, Map<string, unknown>>();
    for (const { setting, value } of this.#entries.values()) {
      const members = groups.get(setting.group) ?? new Map<string, unknown>();
      groups.set(setting.group, members.set(setting.name, value));
    }
    const settings = settingsOf(groups);
    const unset = settingKeys.filter(({ key }) => !this.#entries.has(key));
    const defaults = unset.map(
      (setting): SettingEntry => ({ setting, value: setting.schema.parse(undefined), origin: 'default' }),
    );
    return { settings, entries: [...this.#entries.values(), ...defaults].sort(asShown) };
  }
}

/** In the order of the table; tools, which are not in it, follow by name. */
function asShown({ setting: one }: SettingEntry, { setting: other }: SettingEntry): number {
  const place = ({ key }: SettingKey): number => {
    const index = settingKeys.findIndex((setting) => setting.key === key);
    return index < 0 ? settingKeys.length : index;
  };
  return place(one) - place(other) || one.key.localeCompare(other.key);
}

/** `FORERUN_MODEL` is a name, or provider and name separated by a slash. */
function modelValues(env: Environment): readonly SettingsValue[] {
  const model = variableOf(env, 'model.name');
  if (!model) return [];
  const { variable, text } = model;
  const provider = providerNames.find((name) => text.startsWith(`${name}/`));
  const name = provider ? text.slice(provider.length + 1) : text;
  return [
    ...given('model.provider', provider, variable),
    ...given('model.name', name || undefined, variable),
  ];
}

function environmentValues(env: Environment): readonly SettingsValue[] {
  const baseUrl = variableOf(env, 'model.baseUrl');
  const speculation = variableOf(env, 'speculation.enabled');
  return [
    ...modelValues(env),
    ...(baseUrl ? given('model.baseUrl', baseUrl.text, baseUrl.variable) : []),
    ...(speculation ? given('speculation.enabled', switchOf(speculation.text), speculation.variable) : []),
  ];
}

/** How the text of a variable is parsed. An invalid value is ignored with a warning. */
const lenientVariables: readonly {
  readonly setting: VariableSetting;
  readonly read: (given: GivenVariable) => unknown;
}[] = [
  { setting: 'keys.http', read: ({ text }) => text },
  { setting: 'keys.queue', read: ({ text }) => text },
  { setting: 'queue.url', read: ({ text }) => text },
  { setting: 'servers.memoryMegabytes', read: ({ text }) => Number(text) },
  { setting: 'servers.load', read: ({ text }) => (text === 'off' ? 'everything' : 'parts') },
  { setting: 'servers.cacheDirectory', read: ({ text }) => text },
  { setting: 'daemon.use', read: ({ text }) => text.toLowerCase() },
  { setting: 'daemon.directory', read: ({ text }) => text },
  { setting: 'daemon.idleMs', read: ({ text }) => Number(text) },
  { setting: 'daemon.startMs', read: ({ text }) => Number(text) },
  { setting: 'sandbox.tiers', read: wordsOf },
  { setting: 'audit.file', read: ({ text }) => text },
  { setting: 'audit.previews', read: ({ text }) => text !== 'off' },
  { setting: 'log.level', read: ({ text }) => text.toLowerCase() },
];

function lenientValues(env: Environment, warnings: string[]): readonly SettingsValue[] {
  return lenientVariables.flatMap(({ setting, read }) => {
    const variable = variableOf(env, setting);
    if (!variable) return [];
    try {
      return given(setting, read(variable), variable.variable);
    } catch (thrown) {
      if (!(thrown instanceof InvalidSetting)) throw thrown;
      warnings.push(`${thrown.message}; it is ignored`);
      return [];
    }
  });
}

function flagValues(flags: Readonly<Record<string, unknown>>): readonly SettingsValue[] {
  return Object.entries(flags).flatMap(([key, value]) => given(key, value, 'the command line'));
}

function given(key: string, value: unknown, place: string): readonly SettingsValue[] {
  if (value === undefined) return [];
  const setting = settingKeyOf(key);
  if (!setting) throw new UnknownSetting(key);
  return [{ setting, value: checked(place, setting, value) }];
}

/** An invalid switch is passed on, and refused with its origin. */
function switchOf(word: string): boolean | string {
  if (/^(1|on|true|yes)$/i.test(word)) return true;
  return /^(0|off|false|no)$/i.test(word) ? false : word;
}

function isAbsence(thrown: unknown): boolean {
  const code = errnoOf(thrown);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
