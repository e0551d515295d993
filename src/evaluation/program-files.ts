/**
 * The files that a change takes into the programs of TypeScript projects, or out of them, and what follows for others.
 *
 * A file comes in by an import, and everything that it declares for all files with it: globals, the augmentations of a
 * library. It goes with the last import. Files that import neither can see the difference.
 *
 * Invariant: a file that is not read, or not understood, declares something for all files.
 */
import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { errnoOf } from '../base/errno.ts';
import { scanImports } from '../graph/reach/import-scan.ts';
import type { FileChange } from '../overlay/overlay.ts';
import type { OverlayEffect } from '../servers/projection.ts';
import type { ProgramFiles } from '../servers/typescript/project-program.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

/** Whether a change may alter which files are part of a program. */
export function mayMoveFiles(changes: readonly FileChange[]): boolean {
  return changes.some(({ path, from, before, after }) => {
    if (from !== undefined || before?.kind !== 'text' || after?.kind !== 'text') return true;
    return namesIn(path, before) !== namesIn(path, after);
  });
}

/** What a text imports, by statements, references and pragmas. */
function namesIn(path: WorkspacePath, { text }: FileContent & { readonly kind: 'text' }): string {
  const directives = text.match(/^[ \t]*\/\/\/[ \t]*<.*$|@jsx\w*[ \t]+\S+/gm) ?? [];
  return [...scanImports('ecmascript', path, text).specifiers, ...directives].sort().join('\n');
}

/** Files that only the projects of one side contain. */
export interface MovedFiles {
  readonly entering: ReadonlySet<string>;
  readonly leaving: ReadonlySet<string>;
}

/** The files that a program gains or loses, and which of them no other program contains on the other side. */
export function movedFiles(
  before: ProgramFiles,
  after: ProgramFiles,
): MovedFiles & { readonly all: readonly string[] } {
  const all = new Set<string>();
  for (const config of new Set([...before.keys(), ...after.keys()])) {
    const [old = none, young = none] = [before.get(config), after.get(config)];
    for (const file of old) if (!young.has(file)) all.add(file);
    for (const file of young) if (!old.has(file)) all.add(file);
  }
  const isHeldBy = (programs: ProgramFiles, file: string): boolean =>
    [...programs.values()].some((files) => files.has(file));
  const files = [...all].sort();
  return {
    all: files,
    entering: new Set(files.filter((file) => !isHeldBy(before, file))),
    leaving: new Set(files.filter((file) => !isHeldBy(after, file))),
  };
}

const none: ReadonlySet<string> = new Set();

/** The moved files that lie in the workspace, if no other file can see that they came or went. */
export function movedUnseen(
  workspace: Workspace,
  moved: readonly string[],
  sides: readonly OverlayEffect[],
): readonly WorkspacePath[] | undefined {
  if (moved.length > mostRead) return undefined;
  const paths = moved.map((name) => (isAbsolute(name) ? undefined : (name as WorkspacePath)));
  const inside = paths.filter((path) => path !== undefined);
  // Of files elsewhere it is not known here whether the compiler reports their errors.
  if (inside.length < moved.length) return undefined;
  const isPlain = (path: WorkspacePath): boolean =>
    path.endsWith('.json') ||
    textsOf(workspace, path, sides).every(
      (text) => text !== undefined && !scanImports('ecmascript', path, text).isGlobal,
    );
  return inside.every(isPlain) ? inside : undefined;
}

/** More than a library that is imported for the first time brings along are not worth reading. */
const mostRead = 500;

/** What the file says on the sides that show a text of it, else on the disk. */
function textsOf(
  workspace: Workspace,
  path: WorkspacePath,
  sides: readonly OverlayEffect[],
): readonly (string | undefined)[] {
  const shown = sides.flatMap((side) => side.get(path) ?? []);
  if (shown.length < sides.length) return [...shown.map(textIn), diskText(workspace.absolute(path))];
  return shown.map(textIn);
}

function textIn(content: FileContent | 'removed'): string | undefined {
  return content !== 'removed' && content.kind === 'text' ? content.text : undefined;
}

function diskText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return undefined;
  }
}
