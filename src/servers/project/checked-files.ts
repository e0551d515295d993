/**
 * Which files a server's project checks, given the files that an overlay shows.
 *
 * Invariant: if the configuration cannot be parsed every file counts as checked, and the doubt says so.
 */
import { existsSync } from 'node:fs';
import { textAt } from '../../workspace/text-at.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { CompilationFlags, isUnit, shownTextReader } from '../c/compilation-database.ts';
import { type OverlayEffect, textUnder } from '../projection.ts';
import type { ServerDefinition } from '../server-definition.ts';
import { type ProjectFiles, PythonProject } from './python-project.ts';

export interface CheckedFiles {
  /** Whether the checker, run on the workspace, reports on the file. */
  has(path: WorkspacePath): boolean;
  readonly doubt?: string;
}

/** The checked files of a workspace with `shown` applied. */
export function checkedFiles(
  definition: ServerDefinition,
  workspace: Workspace,
  shown: OverlayEffect,
): CheckedFiles {
  if (definition.compilation === 'database') {
    const flags = new CompilationFlags(shownTextReader(shown, (path) => workspace.absolute(path)));
    return { has: (path) => !isUnit(path) || flags.of(workspace.absolute(path)) !== 'unlisted' };
  }
  if (definition.project === undefined) return everyFile;
  const project = PythonProject.read(slashed(workspace.root), definition.name, filesUnder(workspace, shown));
  if (project === undefined) {
    return { ...everyFile, doubt: 'The configuration that says which files are checked cannot be read.' };
  }
  return { has: (path) => project.checks(slashed(workspace.absolute(path))) };
}

const everyFile: CheckedFiles = { has: () => true };

function filesUnder(workspace: Workspace, shown: OverlayEffect): ProjectFiles {
  const laid = new Map([...shown].map(([path, content]) => [slashed(workspace.absolute(path)), content]));
  return {
    readText: (path) => textUnder(laid, path, textAt),
    exists: (path) => {
      const content = laid.get(path);
      return content === undefined ? existsSync(path) : content !== 'removed';
    },
  };
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}
