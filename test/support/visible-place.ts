/**
 * Directories that commands in a sandbox can see: not below one that is emptied for them.
 *
 * Invariant: a place that is named exists and can be written to.
 */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** A directory for scratch files that a sandbox shows as they are. */
export function visiblePlace(): string {
  const candidates = [join(repository, 'node_modules', '.cache'), '/opt', '/srv', homedir()];
  const place = candidates.find((candidate) => isVisible(candidate) && canHold(candidate));
  if (place === undefined)
    throw new Error('no directory outside of those for temporary files can be written to');
  return place;
}

function isVisible(path: string): boolean {
  return !['/tmp/', '/var/tmp/', '/run/', '/var/run/'].some((emptied) => `${path}/`.startsWith(emptied));
}

function canHold(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
