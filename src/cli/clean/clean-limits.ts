/**
 * Applies the storage limits once a day, in long-running processes.
 *
 * Invariant: nothing waits for it; a failure is logged and has no other effect.
 */
import { lstat, rename, writeFile } from 'node:fs/promises';
import { messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { settingsPaths } from '../../host/settings-paths.ts';
import { statePlaces } from '../../storage/own-places.ts';
import { pruneKind } from '../../storage/prune.ts';
import { makePrivateDirectory, stateDirectory } from '../../storage/user-directories.ts';
import { type KeptSettings, keptKinds } from './clean-kinds.ts';

export interface DailyCleaning {
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly now: number;
  /** The kinds of stored files; absent: all of the table. */
  readonly kinds?: typeof keptKinds;
}

const dayMs = 24 * 3_600_000;

/** The user's settings; those of a workspace are not read. */
export async function keptSettings(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<KeptSettings> {
  const { user } = settingsPaths(env, '/');
  const { settings } = await loadSettings({ files: { user, project: user }, env }, signal);
  return settings;
}

/** Prunes unless another process of this user did so within a day. */
export async function cleanDaily(
  { env, log, now, kinds = keptKinds }: DailyCleaning,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (!(await claimDay(stateDirectory(env), now))) return;
    for (const kind of kinds(env, await keptSettings(env, signal))) {
      if (signal.aborted) return;
      const { removed, failed } = await pruneKind(kind, { mode: 'limits', effect: 'remove', now });
      if (removed.length === 0 && failed.length === 0) continue;
      log.info('storage.pruned', { kind: kind.name, removed: removed.length, failed: failed.length });
    }
  } catch (thrown) {
    log.warning('storage.prune-failed', { code: 'cli/prune-failed', error: messageOf(thrown) });
  }
}

/** Whether this process prunes today. The stamp is written first, so that no second process prunes as well. */
async function claimDay(directory: string, now: number): Promise<boolean> {
  makePrivateDirectory(directory);
  const stamp = statePlaces.cleaned(directory);
  const last = await lstat(stamp).catch(() => undefined);
  if (last && Math.abs(now - last.mtimeMs) < dayMs) return false;
  const beside = `${stamp}.${process.pid}`;
  await writeFile(beside, `${new Date(now).toISOString()}\n`, { mode: 0o600 });
  await rename(beside, stamp);
  return true;
}
