/** Where tool calls are recorded: by the command line, then the settings, then the default in the home directory. */
import { homedir } from 'node:os';
import { auditFile } from '../storage/own-places.ts';
import type { ProcessSettings } from './user-settings.ts';

/** Undefined if nothing is to be recorded. */
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

/** Undefined if the account has no home directory, or its home is the root directory. */
function homeOf(): string | undefined {
  try {
    const home = homedir();
    return home === '' || home === '/' ? undefined : home;
  } catch {
    return undefined;
  }
}
