/**
 * A change to a workspace as data, with whole new texts, so that the same change can be shown to a server and
 * written to a disk.
 *
 * Invariant: a mutation names each path it touches once, and says nothing about what should come of it: that
 * is for a judge.
 */
import type { WorkspaceFiles } from './workspace-files.ts';

export type MutationKind =
  | 'break'
  | 'mend'
  | 'move-error'
  | 'remove-export'
  | 'change-signature'
  | 'rename-symbol'
  | 'new-file'
  | 'delete-file'
  | 'rename-file'
  | 'syntax'
  | 'line-ends'
  | 'comment-only'
  | 'cancel'
  | 'no-effect';

export interface FileMutation {
  readonly path: string;
  /** The text before, where the path held a file. */
  readonly before?: string;
  /** The text after; undefined when the file is gone. */
  readonly after: string | undefined;
  /** The path this file had before; nothing is left there. */
  readonly renamedFrom?: string;
}

export interface Mutation {
  readonly name: string;
  readonly kind: MutationKind;
  readonly apply: readonly FileMutation[];
}

/** One stroke of a mutation, as a table writes it. */
export type Stroke =
  | { readonly edit: string; readonly replace: string; readonly with: string }
  | { readonly write: string; readonly text: string }
  | { readonly remove: string }
  | { readonly rename: string; readonly to: string };

export type MutationPlan = readonly [name: string, kind: MutationKind, ...strokes: Stroke[]];

/** Carries out a plan on paper. Text that an edit does not find is a mistake in the table, and thrown. */
export function draft(files: WorkspaceFiles, [name, kind, ...strokes]: MutationPlan): Mutation {
  const now = new Map(Object.entries(files));
  const origins = new Map<string, string>();
  for (const stroke of strokes) {
    if ('edit' in stroke) now.set(stroke.edit, replaced(name, now.get(stroke.edit), stroke));
    else if ('write' in stroke) now.set(stroke.write, stroke.text);
    else if ('remove' in stroke) now.delete(stroke.remove);
    else {
      origins.set(stroke.to, stroke.rename);
      now.set(stroke.to, now.get(stroke.rename) ?? '');
      now.delete(stroke.rename);
    }
  }
  const gone = new Set(origins.values());
  const touched = new Set(strokes.map(pathOf).filter((path) => !gone.has(path)));
  return { name, kind, apply: [...touched].map((path) => fileMutation(files, now, origins, path)) };
}

/** The workspace after a mutation. */
export function mutate(files: WorkspaceFiles, mutation: Mutation): WorkspaceFiles {
  const result = new Map(Object.entries(files));
  for (const { path, after, renamedFrom } of mutation.apply) {
    if (renamedFrom !== undefined) result.delete(renamedFrom);
    if (after === undefined) result.delete(path);
    else result.set(path, after);
  }
  return Object.fromEntries(result);
}

function fileMutation(
  files: WorkspaceFiles,
  now: ReadonlyMap<string, string>,
  origins: ReadonlyMap<string, string>,
  path: string,
): FileMutation {
  const before = files[path];
  const renamedFrom = origins.get(path);
  return {
    path,
    after: now.get(path),
    ...(before !== undefined && { before }),
    ...(renamedFrom !== undefined && { renamedFrom }),
  };
}

function pathOf(stroke: Stroke): string {
  if ('edit' in stroke) return stroke.edit;
  if ('write' in stroke) return stroke.write;
  return 'remove' in stroke ? stroke.remove : stroke.to;
}

function replaced(name: string, text: string | undefined, edit: { replace: string; with: string }): string {
  if (!text?.includes(edit.replace))
    throw new Error(`"${name}" does not find ${JSON.stringify(edit.replace)}`);
  return text.replace(edit.replace, () => edit.with);
}
