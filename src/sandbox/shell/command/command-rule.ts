/**
 * What a rule about one command is, and what it answers.
 *
 * Invariant: a rule allows a call only when every word of it was accounted for.
 */
import type { ShellBoundary } from '../boundary.ts';
import type { ShellWord } from '../syntax/shell-list.ts';

/** The words after a command's name are read by its rule. */
export type CommandRule = (args: readonly ShellWord[]) => CommandVerdict;

export type CommandVerdict = AllowedCommand | ShellBoundary;

export interface AllowedCommand {
  readonly kind: 'allowed';
  /** The words that name files whose content is read. */
  readonly reads: readonly ReadFile[];
}

export interface ReadFile {
  readonly path: string;
  readonly at: number;
}

export function allowed(reads: readonly ReadFile[] = []): AllowedCommand {
  return { kind: 'allowed', reads };
}
