/**
 * A state directory for the journals of commits that a test makes directly. The tests of one process share it, as the
 * programs of one user do, and it is removed with the process.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'forerun-state-')));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

/** To be spread into the options of a commit. */
export const testState: { readonly stateDirectory: string } = { stateDirectory: directory };
