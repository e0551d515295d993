/**
 * Commands that must never run ahead of their user, by the class of trick they are an example of.
 *
 * Invariant: no row may ever be read as readonly.
 */
import { hostileCalls } from './hostile-calls.ts';
import { hostilePrograms } from './hostile-programs.ts';
import { hostileSecond } from './hostile-second.ts';
import { hostileSyntax } from './hostile-syntax.ts';

export const hostileCommands: Readonly<Record<string, readonly string[]>> = {
  ...hostileSyntax,
  ...hostileCalls,
  ...hostilePrograms,
  ...hostileSecond,
};
