/** `--trust`: trusts the workspace a command is started in, for the life of the process. */
import { Option } from 'commander';
import type { TrustGrant } from './user-trust.ts';

export function trustOption(): Option {
  return new Option(
    '--trust',
    'let this workspace run its own programs, this once (see forerun trust --help)',
  );
}

/** What the flag covers: the directory the command works on. */
export function grantOf(flag: boolean | undefined, directory: string = process.cwd()): TrustGrant {
  return flag === true ? [directory] : [];
}
