/** `--trust`: trusts the workspace of a command for the lifetime of the process. */
import { Option } from 'commander';
import type { TrustGrant } from '../../host/user-trust.ts';

export function trustOption(): Option {
  return new Option(
    '--trust',
    'let this workspace run its own programs, for this process only (see forerun trust --help)',
  );
}

/** The trusted workspace: that of the command's directory. */
export async function grantOf(
  flag: boolean | undefined,
  signal: AbortSignal,
  directory: string = process.cwd(),
): Promise<TrustGrant> {
  if (flag !== true) return [];
  const { workspaceDirectory } = await import('../../host/workspace-directory.ts');
  return [await workspaceDirectory(directory, process.env, signal)];
}
