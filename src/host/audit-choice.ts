/** Where tool calls are recorded, and how much of them: what the command line says, then the environment, then home. */
import { homedir } from 'node:os';
import { auditFile } from '../storage/own-places.ts';
import type { AuditTrailOptions } from '../tools/audit-trail.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined where nothing is to be recorded. */
export function auditPathOf(given: string | undefined, env: Environment): string | undefined {
  const asked = given ?? (env.FORERUN_AUDIT_LOG || env.AGENT_LSP_AUDIT_LOG || undefined);
  if (asked === 'off') return undefined;
  if (asked !== undefined) return asked;
  const home = homeOf();
  return home === undefined ? undefined : auditFile(home);
}

/** Whether records show the beginning of edited texts. */
export function auditPreviewsOf(env: Environment): AuditTrailOptions['previews'] {
  return env.FORERUN_AUDIT_PREVIEWS === 'off' ? 'left-out' : 'kept';
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
