/**
 * Which servers a broker keeps, and for which workspaces that is worth a process.
 *
 * Invariant: a server is shared only if an answer can be tied to the one who asked.
 */
import { languages } from '../servers/language.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import { serves } from '../servers/server-routing.ts';
import { listFiles } from '../workspace/file-walk.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * Only servers that are asked for diagnostics: the answer belongs to a question, and a question to a client. What a
 * server publishes by itself would have to be attributed to one of several clients after the fact, and those without
 * versions leave nothing to do that by.
 */
export function canBeBrokered({ settle }: ServerDefinition): boolean {
  return settle.mode === 'pull';
}

/** From so many files on, loading a workspace takes noticeably longer than asking about it. */
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
