/** What SECURITY.md states and a machine can check: commands, flags, settings, variables, limits and places. */

import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { keptKinds } from '../../src/cli/clean/clean-kinds.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { settingKeys, settingsOf } from '../../src/config/settings.ts';
import { catalogue } from '../../src/tools/catalogue.ts';
import { sourceFiles } from '../support/source-tree.ts';

const page = await readFile(fileURLToPath(new URL('../../SECURITY.md', import.meta.url)), 'utf8');
const program = buildProgram({ signal: new AbortController().signal, closing: () => {} }, () => {});

const unknown = (names: readonly string[], existing: readonly string[]): readonly string[] =>
  names.filter((name) => !existing.includes(name));

function named(pattern: RegExp): readonly string[] {
  return [...new Set([...page.matchAll(pattern)].map(([, name = '']) => name))];
}

test('commands exist', () => {
  const commands = named(/(?<![\w/.-])forerun ([a-z]+)(?![\w/.])/g);
  expect(commands.length).toBeGreaterThan(4);
  expect(
    unknown(
      commands,
      program.commands.map((command) => command.name()),
    ),
  ).toEqual([]);
});

test('flags exist', () => {
  const flags = named(/(?<![\w-])(--[a-z][a-z-]+)/g);
  const existing = [program, ...program.commands].flatMap(({ options }) =>
    options.map(({ long }) => long ?? ''),
  );
  expect(flags).toContain('--root');
  expect(unknown(flags, existing)).toEqual([]);
});

test('settings exist', () => {
  const settings = named(
    /`((?:trust|storage|speculation|permissions|model|servers|daemon|sandbox|audit)\.[A-Za-z]+)`/g,
  );
  expect(
    unknown(
      settings,
      settingKeys.map(({ key }) => key),
    ),
  ).toEqual([]);
});

test('variables are read somewhere', async () => {
  const variables = named(/\b((?:FORERUN|XDG)_[A-Z_]+)/g);
  const sources = (await sourceFiles('src')).map(({ text }) => text).join('\n');
  expect(variables.length).toBeGreaterThan(4);
  expect(variables.filter((name) => !sources.includes(name))).toEqual([]);
});

test('tools exist', () => {
  const tools = named(/`([a-z]+(?:_[a-z]+)+)`/g).filter((name) => name !== 'node_modules');
  expect(
    unknown(
      tools,
      catalogue.map(({ name }) => name),
    ),
  ).toEqual([]);
});

describe('what is stored', () => {
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| [^|]+ \| ([^|]+) \| (\d+) days? \| (\d+) MB \|$/gm)].map(
    ([, name = '', place = '', days, megabytes]) => ({
      name,
      place,
      days: Number(days),
      megabytes: Number(megabytes),
    }),
  );
  const kinds = keptKinds({ HOME: homedir() }, settingsOf(new Map()));

  test('is listed kind by kind', () => {
    expect(rows.map(({ name }) => name)).toEqual(kinds.map(({ name }) => name));
  });

  test.each(rows)(
    '$name is kept as long and lies where the page says',
    ({ name, place, days, megabytes }) => {
      const kind = kinds.find((each) => each.name === name);
      expect(kind?.limits).toEqual({ maxAgeMs: days * 86_400_000, maxBytes: megabytes * 1024 * 1024 });
      const path = /`~\/([^`]+)`/.exec(place)?.[1];
      if (path === undefined) expect(kind?.access).toBe('shared');
      else expect(kind?.directories).toContain(join(homedir(), path));
    },
  );
});
