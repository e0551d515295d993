/**
 * Shell builtins that are answered here.
 *
 * Invariant: they use the caller's search path without directories of the project, and harmless variables only.
 */
import { delimiter, join } from 'node:path';
import { isExecutable } from '../../process/executable.ts';
import { commandTable } from '../../shell/command/command-table.ts';
import { harmlessVariables } from '../../shell/reading/variable-scope.ts';
import type { CommandWorld } from './command-world.ts';
import { reportedPath } from './program.ts';

export interface BuiltinAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The answer of a builtin; undefined if the words call none. */
export function runBuiltin(argv: readonly string[], world: CommandWorld): BuiltinAnswer | undefined {
  const [name, ...args] = argv;
  switch (name) {
    case ':':
      return { code: 0, stdout: '', stderr: '' };
    case 'command':
      return look(args.slice(1), world, ({ word, kind, path }) => (kind === 'file' ? path : word));
    case 'type':
      return describe(args, world);
    case 'printenv': {
      const values = args.map((arg) => (harmlessVariables.has(arg) ? world.env[arg] : undefined));
      const stdout = values.flatMap((value) => (value === undefined ? [] : [`${value}\n`])).join('');
      return { code: values.includes(undefined) ? 1 : 0, stdout, stderr: '' };
    }
    default:
      return undefined;
  }
}

/** `type`, with `-t` for the kind alone, `-p` for the file alone, and `-a` for every meaning. */
function describe(args: readonly string[], world: CommandWorld): BuiltinAnswer {
  const flags = args.filter((arg) => arg.startsWith('-')).join('');
  const words = args.filter((arg) => !arg.startsWith('-'));
  const meanings = flags.includes('a') ? 'all' : 'first';
  if (flags.includes('t')) return look(words, world, ({ kind }) => kind, meanings);
  if (/[pP]/.test(flags)) return look(words, world, ({ path }) => path, meanings);
  return look(words, world, ({ word, kind, path }) => `${word} is ${sentences[kind] ?? path}`, meanings);
}

const sentences: Readonly<Record<string, string>> = {
  builtin: 'a shell builtin',
  keyword: 'a shell keyword',
};

const builtins: ReadonlySet<string> = new Set(
  `. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable
  eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd
  read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias
  unset wait`.split(/\s+/),
);

const keywords: ReadonlySet<string> = new Set(
  '! [[ ]] { } case coproc do done elif else esac fi for function if in select then time until while'.split(
    ' ',
  ),
);

interface Meaning {
  readonly word: string;
  readonly kind: 'keyword' | 'builtin' | 'file';
  /** The file; empty if the shell itself is meant. */
  readonly path: string;
}

function look(
  words: readonly string[],
  world: CommandWorld,
  render: (meaning: Meaning) => string,
  which: 'first' | 'all' = 'first',
): BuiltinAnswer {
  let stdout = '';
  let stderr = '';
  for (const word of words) {
    const meanings = meaningsOf(word, world);
    if (meanings.length === 0) stderr += `${word}: not found\n`;
    for (const meaning of which === 'all' ? meanings : meanings.slice(0, 1)) {
      const line = render(meaning);
      if (line !== '') stdout += `${line}\n`;
    }
  }
  return { code: stderr === '' ? 0 : 1, stdout, stderr };
}

function meaningsOf(word: string, world: CommandWorld): readonly Meaning[] {
  const directories = reportedPath(world.env, world.root).split(delimiter);
  const paths = word.includes('/') ? [] : directories.map((each) => join(each, word)).filter(isExecutable);
  const files = paths.map((path) => ({ word, kind: 'file' as const, path }));
  if (keywords.has(word)) return [{ word, kind: 'keyword', path: '' }, ...files];
  return builtins.has(word) ? [{ word, kind: 'builtin', path: '' }, ...files] : files;
}

/** Whether a name is a builtin that is answered here. */
export function isBuiltin(name: string): boolean {
  return /^(:|command|type|printenv)$/.test(name) && commandTable.has(name);
}
