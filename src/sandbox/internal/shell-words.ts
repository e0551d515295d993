/** The argument vector of a command: given directly, or a shell that runs its text. */
import { existsSync } from 'node:fs';
import type { CommandLine } from '../sandbox-tier.ts';

export function shellWords(command: CommandLine): readonly string[] {
  if (typeof command !== 'string') return command;
  return existsSync('/bin/bash')
    ? ['/bin/bash', '--norc', '--noprofile', '-c', command]
    : ['/bin/sh', '-c', command];
}

/** The shell text of an argument vector, with every word quoted. */
export function shellText(command: CommandLine): string {
  if (typeof command === 'string') return command;
  const quoted = (word: string): string =>
    /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
  return command.map(quoted).join(' ');
}
