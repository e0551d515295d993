/**
 * Which servers a broker keeps, and for which workspaces that is worth a process.
 *
 * Invariant: a server is shared only if an answer can be attributed to the client that asked.
 */

import { serves } from '../servers/file-relevance.ts';
import { languages } from '../servers/language.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import { listFiles } from '../workspace/file-walk.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * Only servers with pull diagnostics: a response belongs to a request, and a request to a client. A publication would
 * have to be attributed to one of several clients afterwards, which is impossible without versions.
 */
export function canBeBrokered({ settle }: ServerDefinition): boolean {
  return settle.mode === 'pull';
}

/** From this many files on, loading a workspace takes noticeably longer than a request. */
const manyFiles = 500;

export async function isWorthBrokering(
  definition: ServerDefinition,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<boolean> {
  const ofLanguages = definition.languages.flatMap((id) => languages.get(id)?.extensions ?? []);
  const extensions = new Set(definition.extensions ?? ofLanguages);
  const matches = (name: string): boolean => serves(definition, name);
  const found = await listFiles(workspace, { extensions, matches, enough: manyFiles }, signal);
  return found.length >= manyFiles;
}
