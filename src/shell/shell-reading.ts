/**
 * Reads a shell text and says whether all it does is read.
 *
 * Invariant: `readonly` is answered only when every character was accepted by the grammar and every word by
 * the rule of its command; whatever is not known is a boundary. No shell is ever asked, and none runs the result.
 */
import { isBoundary, type ShellBoundary } from './boundary.ts';
import { judgeScript } from './reading/script-judge.ts';
import { gateCharacters } from './syntax/character-gate.ts';
import type { Script } from './syntax/shell-list.ts';
import { parseScript } from './syntax/shell-parser.ts';

export type ShellReading = ReadonlyReading | ShellBoundary;

export interface ReadonlyReading {
  readonly kind: 'readonly';
  readonly steps: Script;
}

/**
 * The rule that stopped a text, or its commands when none did. Absolute paths inside `root` are the workspace's own;
 * without it only those are accepted that are public on every system, or may well be a workspace.
 */
export function readShellCommand(text: string, root?: string): ShellReading {
  const gated = gateCharacters(text);
  if (gated) return gated;
  const steps = parseScript(text);
  if (isBoundary(steps)) return steps;
  return judgeScript(steps, root) ?? { kind: 'readonly', steps };
}
