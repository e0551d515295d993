/**
 * Whether a change to one file is visible to other files.
 *
 * Invariant: no is returned only if it is proved from both texts; a file that is created, deleted or renamed is
 * always visible.
 */
import type { FileChange } from '../../overlay/overlay.ts';
import type { ReachFamily } from './reach-family.ts';
import { haveSamePythonTokens } from './source/python-lines.ts';
import { haveSamePythonSurface } from './source/python-surface.ts';

export function isSeenByOthers(family: ReachFamily, { from, before, after }: FileChange): boolean {
  if (from !== undefined || before?.kind !== 'text' || after?.kind !== 'text') return true;
  return family !== 'python' || !haveSamePythonSurface(before.text, after.text);
}

/** Whether a change alters only text that a compiler ignores: comments, blank lines and the like. */
export function keepsTokens(family: ReachFamily, { from, before, after }: FileChange): boolean {
  if (from !== undefined || before?.kind !== 'text' || after?.kind !== 'text') return false;
  return family === 'python' && haveSamePythonTokens(before.text, after.text);
}
