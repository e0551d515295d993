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
  /** The words that name files or directories of which only names and attributes are shown. */
  readonly entries: readonly ReadFile[];
  /** Set for program text that was checked: how it is started, hardened. Any version of the program answers alike. */
  readonly checked?: { readonly args: readonly string[] };
  /** Files of a workspace that must not exist, since the program would run what they name. */
  readonly unless?: readonly string[];
}

export interface ReadFile {
  readonly path: string;
  readonly at: number;
}

export function allowed(reads: readonly ReadFile[] = [], entries: readonly ReadFile[] = []): AllowedCommand {
  return { kind: 'allowed', reads, entries };
}
