/**
 * Putting a grown file aside: `x` becomes `x.1`, `x.1` becomes `x.2`, and the oldest goes.
 *
 * Invariant: of several processes that find a file grown at the same time one puts it aside; the others leave it.
 */
import { mkdir, rename, rm, rmdir, stat } from 'node:fs/promises';

export interface RotationOptions {
  readonly maxBytes: number;
  readonly keptFiles: number;
}

/** A lock that has stood this long was left by a process that ended under it. */
const staleLockMs = 10_000;

export async function rotate(path: string, { maxBytes, keptFiles }: RotationOptions): Promise<void> {
  const lock = `${path}.lock`;
  if (!(await take(lock))) return;
  try {
    // Somebody else may have put it aside between our look and our lock.
    if (((await sizeOf(path)) ?? 0) < maxBytes) return;
    await rm(`${path}.${keptFiles}`, { force: true });
    for (let age = keptFiles - 1; age >= 1; age--) await moveIfThere(`${path}.${age}`, `${path}.${age + 1}`);
    if (keptFiles > 0) await moveIfThere(path, `${path}.1`);
    else await rm(path, { force: true });
  } finally {
    await rmdir(lock);
  }
}

/** Making a directory either succeeds or finds it there, for one process at a time. */
async function take(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) !== 'EEXIST') throw thrown;
  }
  const since = await stat(lock).catch(() => undefined);
  if (since && Date.now() - since.mtimeMs > staleLockMs) await rmdir(lock).catch(() => undefined);
  return false;
}

async function moveIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch((thrown: unknown) => {
    if (codeOf(thrown) !== 'ENOENT') throw thrown;
  });
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
}
