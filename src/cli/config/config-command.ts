/**
 * `forerun config`: shows and changes settings.
 *
 * Invariant: the value of a key is never shown, only whether it is set.
 */
import { Failure } from '../../base/failure.ts';
import {
  type LoadedSettings,
  loadSettings,
  readSource,
  type SettingEntry,
  type SettingsPlaces,
} from '../../config/load-settings.ts';
import { type SettingKey, settingKeyOf } from '../../config/settings.ts';
import { checked, readSettings, UnknownSetting } from '../../config/settings-file.ts';
import { settingsPaths } from '../../host/settings-paths.ts';
import { stateDirectory } from '../../storage/user-directories.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { writeSetting } from './config-edit.ts';

export interface ConfigContext {
  readonly env: NodeJS.ProcessEnv;
  readonly directory: string;
  /** All effective settings, or only those of the workspace. */
  readonly scope: 'all' | 'project';
  readonly format: 'human' | 'json';
}

/** The output; warnings go to the terminal, not into the output. */
export interface ConfigAnswer {
  readonly text: string;
  readonly warnings: readonly string[];
  readonly code: ExitCode;
}

export async function configGet(
  context: ConfigContext,
  key: string,
  signal: AbortSignal,
): Promise<ConfigAnswer> {
  const setting = knownSetting(key);
  const { entries, warnings } = await settingsIn(context, signal);
  const entry = entries.find((each) => each.setting.key === key);
  const isSet = entry !== undefined && entry.value !== undefined;
  const value = isSet ? shown(setting, entry.value) : undefined;
  const text =
    context.format === 'json' ? `${JSON.stringify(value ?? null)}\n` : isSet ? `${plainly(value)}\n` : '';
  return { text, warnings, code: isSet ? exitCodes.good : exitCodes.bad };
}

export async function configList(context: ConfigContext, signal: AbortSignal): Promise<ConfigAnswer> {
  const { entries, warnings } = await settingsIn(context, signal);
  const text = context.format === 'json' ? listJson(entries) : listTable(entries);
  return { text, warnings, code: exitCodes.good };
}

export interface ConfigChange {
  readonly key: string;
  /** The values as typed. A list takes several; any other setting takes one. */
  readonly words: readonly string[];
  /** Standard input, if the only value is `-`. */
  readonly piped?: string;
}

export async function configSet(
  context: ConfigContext,
  change: ConfigChange,
  signal: AbortSignal,
): Promise<ConfigAnswer> {
  const setting = knownSetting(change.key);
  const file = await fileOf(context);
  if (setting.kind === 'secret' && change.piped === undefined) throw new SecretOnCommandLine(change.key);
  const value = typedValue(setting, change);
  if (context.scope === 'project' && !setting.isOpenToProjects(value)) throw new NotForProjects(change.key);
  const effect = await writeSetting(
    { file, setting, value, stateDirectory: stateDirectory(context.env) },
    signal,
  );
  const done = effect === 'changed' ? 'set' : 'already so:';
  const text = `${done} ${change.key} = ${plainly(shown(setting, value))} in ${file}\n`;
  return { text, warnings: [], code: exitCodes.good };
}

export async function configUnset(
  context: ConfigContext,
  key: string,
  signal: AbortSignal,
): Promise<ConfigAnswer> {
  const file = await fileOf(context);
  const state = stateDirectory(context.env);
  const edit = { file, setting: knownSetting(key), value: undefined, stateDirectory: state };
  const effect = await writeSetting(edit, signal);
  const text = effect === 'changed' ? `took ${key} out of ${file}\n` : `${key} was not set in ${file}\n`;
  return { text, warnings: [], code: exitCodes.good };
}

class SecretOnCommandLine extends Failure {
  readonly code = 'cli/secret-on-command-line';
  readonly remedy: string;

  constructor(key: string) {
    super(`${key} is not accepted on the command line, where other users can see it`);
    this.remedy = `Pipe it to standard input: printf %s "$KEY" | forerun config set ${key} -`;
  }
}

class NotForProjects extends Failure {
  readonly code = 'cli/not-for-projects';
  readonly remedy = 'Leave out --project to write your own settings.';

  constructor(key: string) {
    super(`a workspace cannot set ${key} to this value`);
  }
}

async function fileOf({ env, directory, scope }: ConfigContext): Promise<string> {
  const places: SettingsPlaces = settingsPaths(env, directory);
  return scope === 'project' ? places.project : places.user;
}

async function settingsIn(
  context: ConfigContext,
  signal: AbortSignal,
): Promise<Pick<LoadedSettings, 'entries' | 'warnings'>> {
  const files = settingsPaths(context.env, context.directory);
  if (context.scope === 'all') return loadSettings({ files, env: context.env }, signal);
  const readings = (await readSource(files.project, 'project', signal)).map(readSettings);
  return {
    entries: readings.flatMap(({ values }) =>
      values.map((value) => ({ ...value, origin: 'project' as const })),
    ),
    warnings: readings.flatMap(({ warnings }) => warnings),
  };
}

function knownSetting(key: string): SettingKey {
  const setting = settingKeyOf(key);
  if (setting) return setting;
  throw new UnknownSetting(key);
}

/** A value is parsed as JSON if the setting accepts the result, and taken verbatim otherwise. */
function typedValue(setting: SettingKey, { words, piped }: ConfigChange): unknown {
  const place = 'the command line';
  const given = piped === undefined ? words : [piped.trim()];
  const [only = ''] = given;
  if (given.length === 1) {
    const read = jsonIn(only);
    if (setting.schema.safeParse(read).success && read !== undefined) return read;
  }
  return checked(place, setting, setting.kind === 'list' ? given : given.join(' '));
}

function jsonIn(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    return undefined;
  }
}

function shown({ kind }: SettingKey, value: unknown): unknown {
  return kind === 'secret' && value !== undefined ? '(set)' : value;
}

function plainly(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function listJson(entries: readonly SettingEntry[]): string {
  const list = entries.map(({ setting, value, origin }) => ({
    key: setting.key,
    value: shown(setting, value) ?? null,
    origin,
    about: setting.about,
  }));
  return `${JSON.stringify(list, undefined, 2)}\n`;
}

function listTable(entries: readonly SettingEntry[]): string {
  const rows = entries.map(({ setting, value, origin }) => [
    setting.key,
    value === undefined ? '-' : plainly(shown(setting, value)),
    origin,
    setting.about,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
