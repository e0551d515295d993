/** `--trust`: trusts the workspace a command works on, for the life of the process. */
import { Option } from 'commander';
import type { TrustGrant } from '../../host/user-trust.ts';

export function trustOption(): Option {
  return new Option(
    '--trust',
    'let this workspace run its own programs, this once (see forerun trust --help)',
  );
}

/** What the flag covers: the workspace of the directory the command works on. */
export async function grantOf(
  flag: boolean | undefined,
  signal: AbortSignal,
  directory: string = process.cwd(),
): Promise<TrustGrant> {
  if (flag !== true) return [];
  const { workspaceDirectory } = await import('../../host/workspace-directory.ts');
  return [await workspaceDirectory(directory, process.env, signal)];
}
