/**
 * The settings that hold here and now: defaults, then the user's file, the project's, the environment, flags.
 *
 * Invariant: a later source replaces an earlier one, but lists of rules add up: what was denied stays denied.
 */

import { readFile } from 'node:fs/promises';
import { errnoOf } from '../base/errno.ts';
import { messageOf } from '../base/failure.ts';
import { providerNames } from '../model/provider.ts';
import { type SettingKey, type Settings, settingKeyOf, settingKeys, settingsOf } from './settings.ts';
import {
  BrokenSettings,
  checked,
  readSettings,
  type SettingsText,
  type SettingsValue,
  UnknownSetting,
} from './settings-file.ts';

export type SettingOrigin = 'default' | 'user' | 'project' | 'environment' | 'flag';

export interface LoadedSettings {
  readonly settings: Settings;
  /** Every setting with what it came to, in the order they are shown. */
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
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values by the name of their setting. */
  readonly flags?: Readonly<Record<string, unknown>>;
}

export async function loadSettings(sources: SettingsSources, signal: AbortSignal): Promise<LoadedSettings> {
  const { user, project } = sources.files;
  const texts = await Promise.all([
    readSource(user, 'user', signal),
    // Whoever works in the directory of their own settings means them as their own.
    project === user ? [] : readSource(project, 'project', signal),
  ]);
  return mergeSettings(texts.flat(), sources);
}

/** What a file says on its own. */
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
  const warnings: string[] = [];
  for (const text of texts) {
    const reading = readSettings(text);
    warnings.push(...reading.warnings);
    for (const value of reading.values) merged.take(value, text.owner);
  }
  for (const value of environmentValues(env)) merged.take(value, 'environment');
  for (const value of flagValues(flags)) merged.take(value, 'flag');
  return { ...merged.outcome(), warnings };
}

class Merged {
  readonly #entries = new Map<string, SettingEntry>();

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

/** As in the table; tools, which are not in it, come after, by name. */
function asShown({ setting: one }: SettingEntry, { setting: other }: SettingEntry): number {
  const place = ({ key }: SettingKey): number => {
    const index = settingKeys.findIndex((setting) => setting.key === key);
    return index < 0 ? settingKeys.length : index;
  };
  return place(one) - place(other) || one.key.localeCompare(other.key);
}

/** `FORERUN_MODEL` is a name, or a provider and a name with a slash between them. */
function environmentValues(env: SettingsSources['env']): readonly SettingsValue[] {
  const { FORERUN_MODEL: model, FORERUN_BASE_URL: baseUrl, FORERUN_SPECULATION: speculation } = env;
  const provider = providerNames.find((name) => model?.startsWith(`${name}/`));
  const name = provider && model ? model.slice(provider.length + 1) : model;
  return [
    ...given('model.provider', provider, 'FORERUN_MODEL'),
    ...given('model.name', name || undefined, 'FORERUN_MODEL'),
    ...given('model.baseUrl', baseUrl || undefined, 'FORERUN_BASE_URL'),
    ...given('speculation.enabled', switchOf(speculation), 'FORERUN_SPECULATION'),
  ];
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

/** A word that is no switch is handed on, to be refused with its place. */
function switchOf(word: string | undefined): boolean | string | undefined {
  if (word === undefined || word === '') return undefined;
  if (/^(1|on|true|yes)$/i.test(word)) return true;
  return /^(0|off|false|no)$/i.test(word) ? false : word;
}

function isAbsence(thrown: unknown): boolean {
  const code = errnoOf(thrown);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
