/** Where tool calls are recorded: what the command line says, then the settings, then the user's home. */
import { homedir } from 'node:os';
import { auditFile } from '../storage/own-places.ts';
import type { ProcessSettings } from './user-settings.ts';

/** Undefined where nothing is to be recorded. */
export function auditPathOf(
  given: string | undefined,
  { audit }: Pick<ProcessSettings, 'audit'>,
): string | undefined {
  const asked = given ?? audit.file;
  if (asked === 'off') return undefined;
  if (asked !== undefined) return asked;
  const home = homeOf();
  return home === undefined ? undefined : auditFile(home);
}

/** Not every account has a home, and not every home is a directory of its own. */
function homeOf(): string | undefined {
  try {
    const home = homedir();
    return home === '' || home === '/' ? undefined : home;
  } catch {
    return undefined;
  }
}
