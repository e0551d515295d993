/**
 * The files of a workspace that a server handles.
 *
 * Invariant: ignored files are excluded.
 */

import { serves } from '../servers/file-relevance.ts';
import { extensionOf } from '../servers/language.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import { listFiles } from '../workspace/file-walk.ts';
import type { Workspace } from '../workspace/workspace.ts';
import {
  ancestorsOf,
  baseName,
  parentOf,
  rootPath,
  type WorkspacePath,
} from '../workspace/workspace-path.ts';

export function servedFiles(
  workspace: Workspace,
  definition: ServerDefinition,
  signal: AbortSignal,
): Promise<readonly WorkspacePath[]> {
  return listFiles(workspace, { matches: (name) => serves(definition, name) }, signal);
}

/**
 * One file of every project in the workspace. Some servers load a project only when one of its files is opened, and
 * know none of its symbols before.
 */
export async function projectFiles(
  workspace: Workspace,
  definition: ServerDefinition,
  signal: AbortSignal,
): Promise<readonly WorkspacePath[]> {
  // A repository is not a project by itself.
  const markers = new Set(definition.rootMarkers.filter((marker) => marker !== '.git'));
  const isWanted = (name: string): boolean => markers.has(name) || serves(definition, name);
  const files = await listFiles(workspace, { matches: isWanted }, signal);
  const projects = new Set(files.filter((path) => markers.has(baseName(path))).map(parentOf));
  const first = new Map<string, WorkspacePath>();
  for (const path of files) {
    if (markers.has(baseName(path)) || !serves(definition, path)) continue;
    const project = ancestorsOf(path).find((directory) => projects.has(directory)) ?? rootPath;
    // One more per extension: a project may exclude the others.
    const key = `${project}\0${extensionOf(path)}`;
    if (!first.has(key)) first.set(key, path);
  }
  return [...first.values()].slice(0, maximumProjects);
}

/** As many as a server keeps open between two requests. */
const maximumProjects = 16;
