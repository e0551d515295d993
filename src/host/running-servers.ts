/**
 * Attaches to servers that brokers keep running for a workspace, before the first call.
 *
 * Invariant: no server is started. If no broker runs, nothing is opened.
 */

import { serves } from '../servers/file-relevance.ts';
import type { LocatedServer } from '../servers/server-register.ts';
import { listFiles } from '../workspace/file-walk.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Forerun } from './forerun.ts';

/** Attaches to the servers running for the workspace of a directory; returns a file of each server's language. */
export async function attachToRunningServers(
  { registry }: Forerun,
  directory: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const attached = await registry.attachToRunning(directory, signal);
  const files = attached.map(({ workspace, located }) => firstFile(workspace, located, signal));
  return (await Promise.all(files)).flat();
}

async function firstFile(
  workspace: Workspace,
  { definition }: LocatedServer,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const matches = (name: string): boolean => serves(definition, name);
  const paths = await listFiles(workspace, { matches, enough: 1 }, signal);
  return paths.slice(0, 1).map((path) => workspace.absolute(path));
}
