/** Who can have commands isolated on this machine; tests of isolation are for them. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Player } from './sandbox-player.ts';
import { playScenario } from './sandbox-scenario.ts';
import { isRoot, strangersArguments } from './somebody-else.ts';

/** Whether we can ourselves. */
export const isIsolationPossible: boolean = await canOurselves();

export const isolatedPlayers: readonly Player[] = [
  ...(isIsolationPossible ? ['ourselves' as const] : []),
  ...(isIsolationPossible && isRoot && (await canStranger()) ? ['an ordinary user' as const] : []),
];

async function canOurselves(): Promise<boolean> {
  const root = await mkdtemp(join(tmpdir(), 'forerun-isolation-'));
  try {
    await playScenario({ root, commands: [], tiers: ['isolated'] }, AbortSignal.timeout(60_000));
    return true;
  } catch {
    return false;
  } finally {
    await rm(root, { recursive: true });
  }
}

async function canStranger(): Promise<boolean> {
  // The programs of this repository must be open to the stranger, too.
  const attempt = 'test -r "$1" && test -x "$2" && mount -t tmpfs none /tmp';
  const files = [fileURLToPath(import.meta.url), process.execPath];
  const mount = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', attempt, 'sh', ...files];
  try {
    await promisify(execFile)('setpriv', [...strangersArguments, ...mount]);
    return true;
  } catch {
    return false;
  }
}
