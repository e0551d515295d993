/**
 * Rotates a file that has grown too large: `x` becomes `x.1`, `x.1` becomes `x.2`, and the oldest is removed.
 *
 * Invariant: if several processes find a file too large at the same time, one rotates it.
 */
import { mkdirSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from '../base/errno.ts';
import { FileLock } from '../process/file-lock.ts';

export interface RotationOptions {
  readonly maxBytes: number;
  readonly keptFiles: number;
}

export async function rotate(path: string, { maxBytes, keptFiles }: RotationOptions): Promise<void> {
  using lock = FileLock.tryAcquire({
    file: `${path}.lock`,
    makeDirectory: () => mkdirSync(dirname(path), { recursive: true, mode: 0o700 }),
  });
  if (!lock) return;
  lock.sweep();
  // Another process may have rotated it between our check and our lock.
  if (((await sizeOf(path)) ?? 0) < maxBytes) return;
  await rm(`${path}.${keptFiles}`, { force: true });
  for (let age = keptFiles - 1; age >= 1; age--) await moveIfThere(`${path}.${age}`, `${path}.${age + 1}`);
  if (keptFiles > 0) await moveIfThere(path, `${path}.1`);
  else await rm(path, { force: true });
}

async function moveIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch((thrown: unknown) => {
    if (!isMissing(thrown)) throw thrown;
  });
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}
