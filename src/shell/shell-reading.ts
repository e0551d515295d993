/**
 * Parses a shell text and decides whether it only reads.
 *
 * Invariant: `readonly` is returned only if the grammar accepted every character and the rule of its command every
 * word; anything unknown is a boundary. No shell is used for this, and none runs the result.
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
 * The boundary at which a text stopped, or its commands. Absolute paths inside `root` belong to the workspace;
 * without it, only paths are accepted that are public on every system, or may be a workspace.
 */
export function readShellCommand(text: string, root?: string): ShellReading {
  const gated = gateCharacters(text);
  if (gated) return gated;
  const steps = parseScript(text);
  if (isBoundary(steps)) return steps;
  return judgeScript(steps, root) ?? { kind: 'readonly', steps };
}
