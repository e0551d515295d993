/**
 * Commands that must never run ahead of their user, by the class of trick they are an example of.
 *
 * Invariant: no row may ever be read as readonly.
 */
import { hostileCalls } from './hostile-calls.ts';
import { hostileInterpreters } from './hostile-interpreters.ts';
import { hostileManagers } from './hostile-managers.ts';
import { hostileOptions } from './hostile-options.ts';
import { hostilePrograms } from './hostile-programs.ts';
import { hostileSecond } from './hostile-second.ts';
import { hostileState } from './hostile-state.ts';
import { hostileSubstitutions } from './hostile-substitutions.ts';
import { hostileSyntax } from './hostile-syntax.ts';

export const hostileCommands: Readonly<Record<string, readonly string[]>> = {
  ...hostileSyntax,
  ...hostileCalls,
  ...hostilePrograms,
  ...hostileSecond,
  ...hostileSubstitutions,
  ...hostileState,
  ...hostileOptions,
  ...hostileInterpreters,
  ...hostileManagers,
};
