/**
 * Our hooks in the file of a client.
 *
 * Invariant: only hooks that start this program are changed or removed; all others, and every other key, stay.
 */
import { isDeepStrictEqual } from 'node:util';
import { type ParseError, parse } from 'jsonc-parser';
import { type Fields, isFields } from './entry-edit.ts';
import type { HookForm, HookMoment } from './hook-target.ts';
import { setProperty } from './json-property.ts';
import { opencodePlugin, pluginMark } from './opencode-plugin.ts';
import { BrokenConfig } from './setup-failure.ts';

export interface HookRequest {
  readonly file: string;
  readonly form: HookForm;
  readonly moments: readonly HookMoment[];
  /** The program and its arguments. */
  readonly words: readonly string[];
}

export function withHooks({ file, form, moments, words }: HookRequest, text: string | undefined): string {
  if (form.kind === 'plugin') return opencodePlugin(words);
  const command = words.map(shellWord).join(' ');
  const start = text === undefined || text.trim() === '' ? emptyFile[form.kind] : text;
  const wanted = (moment: HookMoment): readonly Fields[] => {
    if (!moments.includes(moment)) return [];
    const matcher = moment === 'stop' ? {} : { matcher: form.matcher };
    if (form.kind === 'entries') return [{ command, ...matcher }];
    return [{ ...matcher, hooks: [{ type: 'command', command }] }];
  };
  return replacedHooks({ file, form }, start, wanted);
}

/** The text without our hooks; undefined if nothing else is left. */
export function withoutHooks(
  { file, form }: Pick<HookRequest, 'file' | 'form'>,
  text: string,
): string | undefined {
  if (form.kind === 'plugin') return text.startsWith(pluginMark) ? undefined : text;
  const left = replacedHooks({ file, form }, text, () => []);
  if (left === text) return text;
  const { hooks, version: _, ...others } = rootOf(file, left);
  const isBare = isFields(hooks) && Object.keys(hooks).length === 0;
  if (isBare && Object.keys(others).length === 0) return undefined;
  return isBare ? setProperty(left, ['hooks'], undefined) : left;
}

const emptyFile = { groups: '{}\n', entries: '{\n  "version": 1\n}\n' } as const;

type ListForm = Exclude<HookForm, { kind: 'plugin' }>;

function replacedHooks(
  { file, form }: { readonly file: string; readonly form: ListForm },
  text: string,
  wanted: (moment: HookMoment) => readonly Fields[],
): string {
  const moments: readonly HookMoment[] = ['before', 'after', 'stop'];
  return moments.reduce((edited, moment) => {
    const event = form.events[moment];
    const existing = listAt(file, edited, event);
    const list = [...existing.flatMap(withoutOurs), ...wanted(moment)];
    if (isDeepStrictEqual(list, existing)) return edited;
    return setProperty(edited, ['hooks', event], list.length > 0 ? list : undefined);
  }, text);
}

function listAt(file: string, text: string, event: string): readonly unknown[] {
  const { hooks } = rootOf(file, text);
  if (hooks === undefined) return [];
  if (!isFields(hooks)) throw new BrokenConfig(file, '"hooks" is not an object');
  const list = hooks[event] ?? [];
  if (!Array.isArray(list)) throw new BrokenConfig(file, `"hooks.${event}" is not a list`);
  return list;
}

function rootOf(file: string, text: string): Fields {
  const errors: ParseError[] = [];
  const root: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !isFields(root)) throw new BrokenConfig(file, 'it is not a JSON object');
  return root;
}

/** A group loses our hooks, and goes if it has no other. */
function withoutOurs(entry: unknown): readonly unknown[] {
  if (!isFields(entry)) return [entry];
  if (isOurs(entry)) return [];
  if (!Array.isArray(entry.hooks)) return [entry];
  const others = entry.hooks.filter((hook: unknown) => !(isFields(hook) && isOurs(hook)));
  if (others.length === entry.hooks.length) return [entry];
  return others.length > 0 ? [{ ...entry, hooks: others }] : [];
}

function isOurs({ command }: Fields): boolean {
  return typeof command === 'string' && /\bforerun(\.js|\.cmd)?['"]?(?: mcp)? hook\b/.test(command);
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
