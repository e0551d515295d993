/**
 * Where tool calls are recorded, and in how much detail: by the command line, then the environment, then the default
 * in the home directory.
 */
import { homedir } from 'node:os';
import { auditFile } from '../storage/own-places.ts';
import type { AuditTrailOptions } from '../tools/audit-trail.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined if nothing is to be recorded. */
export function auditPathOf(given: string | undefined, env: Environment): string | undefined {
  const asked = given ?? (env.FORERUN_AUDIT_LOG || env.AGENT_LSP_AUDIT_LOG || undefined);
  if (asked === 'off') return undefined;
  if (asked !== undefined) return asked;
  const home = homeOf();
  return home === undefined ? undefined : auditFile(home);
}

/** Whether records contain the beginning of edited texts. */
export function auditPreviewsOf(env: Environment): AuditTrailOptions['previews'] {
  return env.FORERUN_AUDIT_PREVIEWS === 'off' ? 'left-out' : 'kept';
}

/** Not every account has a home directory. */
function homeOf(): string | undefined {
  try {
    const home = homedir();
    return home === '' || home === '/' ? undefined : home;
  } catch {
    return undefined;
  }
}
