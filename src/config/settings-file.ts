/**
 * Parses a settings file.
 *
 * Invariant: an invalid file is a failure that names the position; a value that is not allowed there is ignored with
 * a warning; no warning or failure contains the value of a key.
 */
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { Failure } from '../base/failure.ts';
import { type SettingKey, settingGroups, settingKeyOf, settingKeys } from './settings.ts';

export interface SettingsText {
  readonly file: string;
  readonly text: string;
  /** The owner of the file. */
  readonly owner: 'user' | 'project';
}

export interface SettingsValue {
  readonly setting: SettingKey;
  readonly value: unknown;
}

export interface SettingsReading {
  readonly values: readonly SettingsValue[];
  /** For the author of the file. */
  readonly warnings: readonly string[];
}

export function readSettings(source: SettingsText): SettingsReading {
  const root = parsed(source);
  const values: SettingsValue[] = [];
  const warnings: string[] = [];
  for (const [group, members] of Object.entries(root)) {
    if (!settingGroups.includes(group)) {
      warnings.push(unknownIn(source.file, group));
      continue;
    }
    if (!isMembers(members)) throw new InvalidSetting(source.file, group, 'it must be an object');
    for (const [name, value] of Object.entries(members)) {
      const setting = settingKeyOf(`${group}.${name}`);
      if (!setting) warnings.push(unknownIn(source.file, `${group}.${name}`));
      else if (source.owner === 'project' && !setting.isOpenToProjects(value))
        warnings.push(refusedIn(source.file, setting));
      else values.push({ setting, value: checked(source.file, setting, value) });
    }
  }
  return { values, warnings };
}

/** The value, if it is valid for the setting. */
export function checked(place: string, { key, schema, kind }: SettingKey, value: unknown): unknown {
  const outcome = schema.safeParse(value);
  if (outcome.success) return outcome.data;
  // The error message of a secret must not repeat its value.
  const reason = kind === 'secret' ? 'it must be a text that is not empty' : outcome.error.issues[0]?.message;
  throw new InvalidSetting(place, key, reason ?? 'it is not accepted');
}

export class InvalidSetting extends Failure {
  readonly code = 'config/invalid-setting';
  readonly remedy = 'Correct the value, or remove it.';

  constructor(place: string, key: string, reason: string) {
    super(`${key} in ${place} has no valid value: ${reason}`);
  }
}

export class BrokenSettings extends Failure {
  readonly code = 'config/broken-file';
  readonly remedy = 'Fix the file, or move it away.';
}

export class UnknownSetting extends Failure {
  readonly code = 'config/unknown-setting';
  readonly remedy: string;

  constructor(key: string) {
    super(`there is no setting "${key}"`);
    const near = settingKeys.filter((setting) => setting.key.startsWith(`${key.split('.')[0]}.`));
    const named = (near.length > 0 ? near : settingKeys).map((setting) => setting.key);
    this.remedy = `Name one of: ${named.join(', ')}, tools.<name>.`;
  }
}

type Members = Readonly<Record<string, unknown>>;

function parsed({ file, text }: SettingsText): Members {
  if (text.trim() === '') return {};
  const errors: ParseError[] = [];
  const root: unknown = parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const before = text.slice(0, error.offset).split('\n');
    const place = `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
    throw new BrokenSettings(`${file} cannot be read: ${printParseErrorCode(error.error)} at ${place}`);
  }
  if (!isMembers(root)) throw new BrokenSettings(`${file} cannot be read: it is not a JSON object`);
  return root;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownIn(file: string, key: string): string {
  return `${file}: there is no setting "${key}"; it is ignored`;
}

function refusedIn(file: string, { key, kind }: SettingKey): string {
  return kind === 'secret'
    ? `${file}: keys are not allowed in a workspace; ${key} is ignored. Remove it, and replace the key if others have seen the file`
    : `${file}: a workspace may not set ${key} to this; it is ignored. Put it into your own settings`;
}
