/**
 * A state directory for the journals of commits that a test makes directly. The tests of one process share it, as the
 * programs of one user do, and it is removed with the process.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let directory: string | undefined;

/** Made when it is first asked for: processes that commit nothing leave nothing. */
function stateDirectory(): string {
  if (directory !== undefined) return directory;
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'forerun-state-')));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  directory = made;
  return made;
}

/** To be spread into the options of a commit. */
export const testState: { readonly stateDirectory: string } = {
  get stateDirectory() {
    return stateDirectory();
  },
};
