/**
 * A what-if that is taken into the buffers.
 *
 * Invariants: unsaved text of the user is merged with, never replaced; where both changed the same lines, nothing is taken.
 * All text stays unsaved. What buffers cannot hold is made on disk, as by the tree of files: a created file begins empty, one
 * that is moved or deleted is. One undo takes all of it back.
 */
import { type FileChange, moveFile, Overlay } from '../overlay/overlay.ts';
import { hashContent } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { FileSource } from '../workspace/file-source.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Buffers } from './buffers.ts';
import type { EditApplier } from './edit-applier.ts';
import { mergedOn } from './what-if-change.ts';

/** A file of the what-if as it is to be, made on what the user sees now. */
interface TakenFile {
  readonly change: FileChange;
  /** The text of its buffer; undefined for a file that is deleted or no text. */
  readonly text: string | undefined;
}

export interface TakeParts {
  readonly buffers: Buffers;
  readonly applier: EditApplier;
  readonly disk: FileSource;
}

export type TakeOutcome =
  /** The buffers that have text of it. */
  | { readonly kind: 'done'; readonly paths: readonly WorkspacePath[] }
  | { readonly kind: 'conflict'; readonly paths: readonly WorkspacePath[] };

export async function takeIntoBuffers(
  changes: readonly FileChange[],
  { buffers, applier, disk }: TakeParts,
): Promise<TakeOutcome> {
  const shown = buffers.overlay();
  const files: TakenFile[] = [];
  const conflicts: WorkspacePath[] = [];
  for (const change of changes) {
    const file = await takenFile(change, shown);
    if (file) files.push(file);
    else conflicts.push(change.path);
  }
  if (conflicts.length > 0) return { kind: 'conflict', paths: conflicts };
  const group = applier.newGroup();
  const structure = await structureOf(files, Overlay.on(shown));
  const made = await applier.applyUnchanged(await applier.workOut(structure), { group });
  if (made.kind === 'conflict') return made;
  const texts = files.flatMap(({ change: { path }, text }) => (text === undefined ? [] : [{ path, text }]));
  for (const { path } of texts) {
    const content = await disk.read(path);
    if (content?.kind === 'text') buffers.open(path, content);
  }
  const written = Overlay.on(buffers.overlay()).writeAll(
    texts.map(({ path, text }) => [path, { ...buffers.require(path).content, text }]),
  );
  const taken = await applier.applyUnchanged(await applier.workOut(written), { group });
  if (taken.kind === 'conflict') return taken;
  return { kind: 'done', paths: texts.map(({ path }) => path) };
}

/** Undefined where the change cannot be made on what is there now. */
async function takenFile(change: FileChange, shown: FileSource): Promise<TakenFile | undefined> {
  const { path, from, kind, after, beforeHash } = change;
  const now = await shown.read(from ?? path);
  if (kind === 'deleted') {
    return hashContent(now) === beforeHash ? { change, text: undefined } : undefined;
  }
  const isFree = kind === 'modified' || (await shown.read(path)) === undefined;
  if (!isFree || after === undefined) return undefined;
  if (after.kind !== 'text') return kind === 'modified' ? undefined : { change, text: undefined };
  const text = kind === 'created' ? after.text : mergedOn(change, now);
  return text === undefined ? undefined : { change, text };
}

/** The files that are created, moved and deleted, without the text that stays unsaved. */
async function structureOf(files: readonly TakenFile[], shown: Overlay): Promise<Overlay> {
  let edited = shown;
  for (const { change } of files) {
    const { path, from, kind, after } = change;
    if (kind === 'deleted') edited = edited.remove(path);
    else if (from !== undefined) edited = await moveFile(edited, from, path);
    else if (kind === 'created' && after !== undefined) edited = edited.write(path, begun(after));
  }
  return edited;
}

function begun(after: FileContent): FileContent {
  return after.kind === 'text' ? { ...after, text: '' } : after;
}
