import { applyFilePatch, type FilePatch, makeFilePatch, printUnifiedDiff } from '../text/unified-diff.ts';
import { hashContent } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { parseWorkspacePath, type WorkspacePath } from '../workspace/workspace-path.ts';
import { fileContentOf, gitMode, patchableText } from './internal/patched-text.ts';
import type { FileChange, LayerEntry, Move, Overlay } from './overlay.ts';
import { NotText } from './overlay-failure.ts';

/** Why a part of a patch does not apply; `hunk` counts from 0 within its file. */
export interface PatchReject {
  readonly path: string;
  readonly hunk: number;
  readonly reason: string;
}

type PatchOutcome =
  | { readonly kind: 'applied'; readonly overlay: Overlay }
  | { readonly kind: 'rejected'; readonly rejects: readonly PatchReject[] };

/**
 * The overlay with all patches applied, or every reason why not.
 *
 * Invariant: all or nothing; a patch does not contain the content of a binary file, so that is unchanged. As in git,
 * each patch refers to the files before all patches, except that a later patch of a file already patched refers to
 * that result.
 */
export async function applyPatch(overlay: Overlay, patches: readonly FilePatch[]): Promise<PatchOutcome> {
  const patched = new PatchedFiles(overlay, patches);
  const rejects: PatchReject[] = [];
  for (const patch of patches) {
    const reject = await patched.add(patch);
    if (reject !== undefined) rejects.push(reject);
  }
  return rejects.length > 0 ? { kind: 'rejected', rejects } : { kind: 'applied', overlay: patched.result() };
}

/** The changes of this layer in the format of `git diff`. For binary files it only states that they differ. */
export async function renderPatch(overlay: Overlay): Promise<string> {
  return printUnifiedDiff(patchesOf(await overlay.changes()));
}

/** The same as data. */
export function patchesOf(changes: readonly PatchedChange[]): readonly FilePatch[] {
  return changes.flatMap(toFilePatches);
}

/** The part of a change that a patch describes. */
export type PatchedChange = Pick<FileChange, 'path' | 'from' | 'before' | 'after'>;

/** The whole text of every file this layer changes, by URI; null for a removed file. */
export async function renderContents(
  workspace: Workspace,
  overlay: Overlay,
): Promise<Record<string, string | null>> {
  const contents: Record<string, string | null> = {};
  for (const { path, from, after } of await overlay.changes()) {
    if (from !== undefined) contents[workspace.uri(from)] = null;
    if (after !== undefined && after.kind !== 'text') throw new NotText(path);
    contents[workspace.uri(path)] = after?.text ?? null;
  }
  return contents;
}

/** The files patched so far. */
class PatchedFiles {
  readonly #overlay: Overlay;
  /** Old paths that the patches together leave empty. */
  readonly #vacated: ReadonlySet<string>;
  readonly #results = new Map<WorkspacePath, LayerEntry>();
  /** Paths whose original content has been patched, moved or removed. */
  readonly #spent = new Set<WorkspacePath>();
  readonly #moves: Move[] = [];

  constructor(overlay: Overlay, patches: readonly FilePatch[]) {
    this.#overlay = overlay;
    const leaving = patches.filter(({ kind, newPath }) => kind === 'renamed' || newPath === undefined);
    this.#vacated = new Set(leaving.flatMap(({ oldPath }) => (oldPath === undefined ? [] : [oldPath])));
  }

  async add(patch: FilePatch): Promise<PatchReject | undefined> {
    const name = patch.newPath ?? patch.oldPath ?? '';
    const reject = (reason: string, hunk = 0): PatchReject => ({ path: name, hunk, reason });
    const from = parsedPath(patch.oldPath);
    const to = parsedPath(patch.newPath);
    if ((from ?? to) === undefined || isOutside(patch.oldPath, from) || isOutside(patch.newPath, to)) {
      return reject('it lies outside the workspace');
    }
    const before = from === undefined ? undefined : await this.#source(from);
    if (from !== undefined && before === undefined) return reject('there is no such file');
    if (to !== undefined && to !== from && (await this.#isTaken(to)))
      return reject('the file exists already');
    const patched = patchedContent(patch, before);
    if (patched.kind === 'rejected') return reject(patched.reason, patched.hunk);
    this.#put(patch, from, to === undefined ? undefined : [to, patched.content]);
    return undefined;
  }

  result(): Overlay {
    // Removals first: a file may replace a directory, and a directory a file.
    const entries = [...this.#results].sort(
      ([, a], [, b]) => Number(b === 'removed') - Number(a === 'removed'),
    );
    return this.#overlay.writeAll(entries, this.#moves);
  }

  /** The content a patch finds at its old path: the original one until that is consumed, then the result. */
  async #source(path: WorkspacePath): Promise<FileContent | undefined> {
    const result = this.#results.get(path);
    const first = this.#spent.has(path) ? undefined : await this.#overlay.read(path);
    if (first !== undefined || result === undefined) return first;
    return result === 'removed' ? undefined : result;
  }

  async #isTaken(path: WorkspacePath): Promise<boolean> {
    const result = this.#results.get(path);
    if (result !== undefined) return result !== 'removed';
    return !this.#vacated.has(path) && (await this.#overlay.read(path)) !== undefined;
  }

  #put(
    patch: FilePatch,
    from: WorkspacePath | undefined,
    written: readonly [WorkspacePath, FileContent] | undefined,
  ): void {
    const leaves = from !== undefined && patch.kind !== 'copied' && from !== written?.[0];
    // Another file may already have been moved to the path this file leaves.
    if (leaves && (this.#spent.has(from) || !this.#results.has(from))) this.#results.set(from, 'removed');
    if (from !== undefined && patch.kind !== 'copied') this.#spent.add(from);
    if (written === undefined) return;
    this.#results.set(...written);
    if (leaves) this.#moves.push({ from, to: written[0] });
  }
}

/** The patched content; `undefined` stands for a file that the patch creates. */
function patchedContent(
  patch: FilePatch,
  before: FileContent | undefined,
):
  | { readonly kind: 'patched'; readonly content: FileContent }
  | { readonly kind: 'rejected'; readonly reason: string; readonly hunk?: number } {
  if (patch.kind === 'binary') return { kind: 'patched', content: before ?? unknownBytes };
  const text = before === undefined ? '' : patchableText(before);
  const isOnlyMoved = text === undefined && patch.hunks.length === 0;
  if (text === undefined && !isOnlyMoved) return { kind: 'rejected', reason: 'it is not a text file' };
  const applied = applyFilePatch(text ?? '', patch);
  if (applied.kind === 'rejected') return applied;
  const isKept = isOnlyMoved && before !== undefined;
  return { kind: 'patched', content: isKept ? before : fileContentOf(applied.text, patch, before) };
}

function parsedPath(given: string | undefined): WorkspacePath | undefined {
  return given === undefined ? undefined : parseWorkspacePath(given);
}

/** The content of a binary file that a patch creates, which the patch does not contain. */
const unknownBytes: FileContent = { kind: 'binary', bytes: new Uint8Array() };

function isOutside(given: string | undefined, parsed: WorkspacePath | undefined): boolean {
  return given !== undefined && (parsed === undefined || parsed === '');
}

function toFilePatches({ path, from, before, after }: PatchedChange): FilePatch[] {
  // Text, bytes and links do not become one another: as in git, that is one deletion and one creation.
  if (before !== undefined && after !== undefined && before.kind !== after.kind) {
    return [toFilePatch(from ?? path, path, before, undefined), toFilePatch(path, path, undefined, after)];
  }
  return [toFilePatch(from ?? path, path, before, after)];
}

function toFilePatch(
  oldPath: WorkspacePath,
  newPath: WorkspacePath,
  before: FileContent | undefined,
  after: FileContent | undefined,
): FilePatch {
  const paths = { ...(before ? { oldPath } : {}), ...(after ? { newPath } : {}) };
  const modes = {
    ...(before ? { oldMode: gitMode(before) } : {}),
    ...(after ? { newMode: gitMode(after, before) } : {}),
  };
  const [old, next] = [before && patchableText(before), after && patchableText(after)];
  const isBinary = (before && old === undefined) || (after && next === undefined);
  if (!isBinary) return makeFilePatch({ ...paths, ...modes, before: old, after: next });
  const isMoved = before && after && oldPath !== newPath && hashContent(before) === hashContent(after);
  return { kind: isMoved ? 'renamed' : 'binary', ...paths, ...modes, hunks: [] };
}
