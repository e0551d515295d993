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
      return look(args.slice(1), world, (found) => found.path);
    case 'type':
      return look(
        args.filter((arg) => !arg.startsWith('-')),
        world,
        ({ word, path }) => (args.some((arg) => /^-[pP]/.test(arg)) ? path : `${word} is ${path}`),
      );
    case 'printenv': {
      const values = args.map((arg) => (harmlessVariables.has(arg) ? world.env[arg] : undefined));
      const stdout = values.flatMap((value) => (value === undefined ? [] : [`${value}\n`])).join('');
      return { code: values.includes(undefined) ? 1 : 0, stdout, stderr: '' };
    }
    default:
      return undefined;
  }
}

function look(
  words: readonly string[],
  world: CommandWorld,
  render: (found: { readonly word: string; readonly path: string }) => string,
): BuiltinAnswer {
  const directories = reportedPath(world.env, world.root).split(delimiter);
  let stdout = '';
  let stderr = '';
  for (const word of words) {
    const path = word.includes('/')
      ? undefined
      : directories.map((each) => join(each, word)).find(isExecutable);
    if (path === undefined) stderr += `${word}: not found\n`;
    else stdout += `${render({ word, path })}\n`;
  }
  return { code: stderr === '' ? 0 : 1, stdout, stderr };
}

/** Whether a name is a builtin that is answered here. */
export function isBuiltin(name: string): boolean {
  return /^(:|command|type|printenv)$/.test(name) && commandTable.has(name);
}
