/** The argument vector of a command: one as it is, or a shell that reads its text. */
import { existsSync } from 'node:fs';
import type { CommandLine } from '../sandbox-tier.ts';

export function shellWords(command: CommandLine): readonly string[] {
  if (typeof command !== 'string') return command;
  return existsSync('/bin/bash')
    ? ['/bin/bash', '--norc', '--noprofile', '-c', command]
    : ['/bin/sh', '-c', command];
}

/** The shell text that stands for an argument vector, every word as it is. */
export function shellText(command: CommandLine): string {
  if (typeof command === 'string') return command;
  const quoted = (word: string): string =>
    /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
  return command.map(quoted).join(' ');
}
