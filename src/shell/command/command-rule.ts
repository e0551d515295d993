/**
 * A rule about one command, and its result.
 *
 * Invariant: a rule allows a call only if every word of it was recognised.
 */
import type { ShellBoundary } from '../boundary.ts';
import type { ShellWord } from '../syntax/shell-list.ts';

/** Judges the words after a command's name. */
export type CommandRule = (args: readonly ShellWord[]) => CommandVerdict;

export type CommandVerdict = AllowedCommand | ShellBoundary;

export interface AllowedCommand {
  readonly kind: 'allowed';
  /** The words that name files whose content is read. */
  readonly reads: readonly ReadFile[];
  /** The words that name files or directories of which only names and attributes are shown. */
  readonly entries: readonly ReadFile[];
  /** Set for checked program text: its hardened arguments. Any version of the program gives the same answer. */
  readonly checked?: { readonly args: readonly string[] };
  /** Files of a workspace that must not exist, since the program would execute what they name. */
  readonly unless?: readonly string[];
}

export interface ReadFile {
  readonly path: string;
  readonly at: number;
}

export function allowed(reads: readonly ReadFile[] = [], entries: readonly ReadFile[] = []): AllowedCommand {
  return { kind: 'allowed', reads, entries };
}
