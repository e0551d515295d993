/** Commits the overlay of a session, together with the end of the session if it is stored. */
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { CommitOptions } from './commit-result.ts';
import { SessionConflict } from './failure.ts';
import type { HeldSession } from './session-store.ts';

export interface SessionWrite {
  readonly id: string;
  readonly overlay: Overlay;
  readonly destination: CommitOptions['destination'];
  /** Absent for a session that is not stored. */
  readonly hold: HeldSession | undefined;
}

export async function writeSession(
  live: LiveWorkspace,
  { id, overlay, destination, hold }: SessionWrite,
  signal: AbortSignal,
): Promise<{ readonly written: number; readonly warnings: readonly string[] }> {
  if (destination.kind === 'patch') {
    await hold?.end('committed');
    return { written: 0, warnings: [] };
  }
  const decision = hold && { decision: hold.committed() };
  const options = { durability: 'power', onConflict: destination.onConflict, ...decision } as const;
  const outcome =
    destination.kind === 'directory'
      ? await live.commits.writeInto(destination.path, overlay, options, signal)
      : await live.commits.commit(overlay, options, signal);
  if (outcome.kind === 'conflict') throw new SessionConflict(id, outcome.paths);
  return { written: outcome.written.length, warnings: outcome.warnings };
}
