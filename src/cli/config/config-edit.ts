/**
 * Writes one setting to a file, or removes it.
 *
 * Invariant: the rest of the file is unchanged, including comments; a file that contains a key is readable by its
 * owner only, and becomes so before the key is written.
 */
import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import type { SettingKey } from '../../config/settings.ts';
import { jsonConfig } from '../setup/json-config.ts';
import { insertProperty, removeProperty, setProperty } from '../setup/json-property.ts';
import { SetupFiles } from '../setup/setup-files.ts';

export interface SettingEdit {
  readonly file: string;
  readonly setting: SettingKey;
  /** Undefined removes the setting. */
  readonly value: unknown;
  /** The directory for the journal of the commit. */
  readonly stateDirectory: string;
}

/** Returns whether the file was changed. */
export async function writeSetting(edit: SettingEdit, signal: AbortSignal): Promise<'changed' | 'same'> {
  const { file, setting, value } = edit;
  if (setting.kind === 'secret' && value !== undefined) await makePrivate(file);
  const files = new SetupFiles();
  const effect = await files.edit(file, (text) =>
    value === undefined ? without(edit, text) : having(edit, text),
  );
  await files.commit(edit.stateDirectory, signal);
  return effect;
}

function having({ file, setting: { group, name }, value }: SettingEdit, text: string | undefined): string {
  if (text === undefined || text.trim() === '') {
    return `${JSON.stringify({ [group]: { [name]: value } }, undefined, 2)}\n`;
  }
  const existing = jsonConfig.read({ file, key: group, name }, text);
  const holder = holderIn(text, group);
  return existing === undefined && holder
    ? insertProperty(text, { holder, path: [group, name] }, value)
    : setProperty(text, [group, name], value);
}

function without(
  { file, setting: { group, name } }: SettingEdit,
  text: string | undefined,
): string | undefined {
  if (text === undefined) return undefined;
  const existing = jsonConfig.read({ file, key: group, name }, text);
  const holder = holderIn(text, group);
  return existing === undefined || !holder ? text : removeProperty(text, { holder, path: [group, name] });
}

function holderIn(text: string, group: string): Node | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root && findNodeAtLocation(root, [group]);
}

const ownerOnly = 0o600;

async function makePrivate(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const handle = await open(file, 'a', ownerOnly);
  await handle.close();
  await chmod(file, ownerOnly);
}
