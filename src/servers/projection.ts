/**
 * What makes one running server show one overlay: the effect of the overlay, the mode in which it is shown, and the
 * projection that sends it.
 *
 * Terms. The *effect* of an overlay lists every path at which it differs from the disk, with the content there or
 * `removed`. The *shown* effect is that of the last `show`; before the first it is empty or, in a mount, the
 * configuration the server was started with. *Buffers* show an effect as the text of open documents over the real files;
 * a *mount* shows it as files in a view or copy of the workspace that the server runs in. The *generation* counts the
 * calls of `show` and `diskChanged` that may send something. The *disk epoch* counts the changes that DiskState knows of;
 * that of a projection is the epoch up to which the server was sent them.
 *
 * Invariants, for calls that the holder of the replica makes one after another. "The disk" is the disk as of the last
 * `diskChanged`, or later:
 * 1. After `show(effect)`, `text` returns the text of the effect at its paths and that of the disk at all others.
 * 2. In buffers, each text of the effect is then an open document, each removed path is closed and reported as deleted,
 *    and every other open document has the text of the disk; `openWhole` closes documents of the effect, and the next
 *    `open` or `show` opens them again. Other contents (bytes, links) are not shown, so
 *    `chooseProjectionMode` chooses buffers only for effects of texts and removals.
 * 3. In a mount, the files then differ from the disk at exactly the paths of the effect, apart from files that programs in
 *    the mount wrote themselves. Every open document has the text of its file.
 * 4. Only differences to the shown effect are sent: a document that has the text already is not changed (it may be
 *    reopened, for servers that keep preambles), and a file of a mount that has the content already is neither written
 *    nor reported. One exception: in buffers a removed path is reported as deleted at every `show`.
 * 5. A path that leaves the effect goes back to the disk: its open document gets the text of the disk, or is closed if
 *    there is none; in a mount its file is restored. So `show(noEffect)` leaves nothing of an overlay.
 * 6. Changes on disk come first: `Replica.show` passes the queued ones to `diskChanged` before it calls `show`. They do
 *    not alter a path of the shown effect; that path gets the content of the disk when it leaves the effect.
 * 7. The generation grows before anything is sent, so an answer kept with its generation is valid while that is the
 *    current one.
 * 8. `diskEpoch` is never ahead of what the server was sent, so an answer about the disk that is kept with it is one of
 *    that disk. It is behind DiskState while changes are queued.
 */
import type { LanguageServer } from '../lsp/language-server.ts';
import { type FileChange, Overlay } from '../overlay/overlay.ts';
import type { Range } from '../text/position.ts';
import { Baseline } from '../workspace/baseline.ts';
import type { DiskState } from '../workspace/disk-state.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import type { FileSource } from '../workspace/file-source.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { parentOf, type WorkspacePath } from '../workspace/workspace-path.ts';
import { isConfiguredBy, serves } from './file-relevance.ts';
import { needsCompiler } from './go/compiled-edit.ts';
import { extensionOf } from './language.ts';
import type { LoadScope } from './scope/load-scope.ts';
import type { ServerDefinition } from './server-definition.ts';

export interface ProjectionParts {
  readonly server: LanguageServer;
  readonly definition: ServerDefinition;
  /** The workspace as the server sees it. */
  readonly workspace: Workspace;
  readonly disk: DiskState;
  /** The epoch of the disk before the server was started. */
  readonly diskEpoch: number;
  /** How much of the workspace the server loads; absent: all of it. */
  readonly scope?: LoadScope | undefined;
  /** The configurations of the projects on disk, for a server that reads them again when they are reported. */
  readonly configs?: (() => Promise<readonly WorkspacePath[]>) | undefined;
}

export interface Projection {
  /** The URI by which the server knows a path. */
  uri(path: WorkspacePath): string;
  show(effect: OverlayEffect): Promise<void>;
  /** The epoch of the disk below the overlay, as far as the server was sent its changes. */
  readonly diskEpoch: number;
  /** Grows whenever the files that the server was sent may differ from before. */
  readonly generation: number;
  /** The effect that is shown now. */
  readonly shown: OverlayEffect;
  /** The text at a path under an effect, that shown now unless another is given; undefined if there is no text. */
  text(path: WorkspacePath, shown?: OverlayEffect): Promise<string | undefined>;
  /** Opens documents for the next requests, with the text shown for them. */
  open(paths: readonly WorkspacePath[]): Promise<void>;
  /**
   * Opens documents in the form in which the server checks all that a compiler does, see c/whole-text.ts. No other
   * request may be sent about them until the result is disposed.
   */
  openWhole(paths: readonly WorkspacePath[], signal: AbortSignal): Promise<WholeDocuments>;
  /** Makes the server load the files that its answers about `paths` depend on; absent if it loads everything. */
  include?(paths: readonly WorkspacePath[] | 'everything'): Promise<void>;
  /** How many source files are outside the load scope. */
  readonly leftOut?: number;
  /** Applies changes on the disk below the overlay. */
  diskChanged(events: readonly FileEvent[]): Promise<void>;
}

/** Documents that are open in another form than their text. */
export interface WholeDocuments extends AsyncDisposable {
  /** Where a range of the open document lies in the file; undefined if the document is not open in this form. */
  original(path: WorkspacePath): ((range: Range) => Range) | undefined;
}

/**
 * Every file at which the whole stack of layers differs from the disk: one entry per file, also for the files of removed
 * directories; a file with equal content has no entry.
 */
export type OverlayEffect = ReadonlyMap<WorkspacePath, FileContent | 'removed'>;

/** The effect of an empty overlay. */
export const noEffect: OverlayEffect = new Map();

/** The text at a path that shows the effect; where it has no entry, what `onDisk` returns. */
export function textUnder<Path, Text>(
  shown: ReadonlyMap<Path, FileContent | 'removed'>,
  path: Path,
  onDisk: (path: Path) => Text,
): Text | string | undefined {
  const content = shown.get(path);
  if (content === undefined) return onDisk(path);
  return content !== 'removed' && content.kind === 'text' ? content.text : undefined;
}

export interface SuccessiveTexts {
  readonly path: WorkspacePath;
  readonly before: string;
  readonly after: string;
}

/** The texts that become others, if either has the sign, when `after` is shown in place of `before`. */
export async function replacedTexts(
  sign: RegExp,
  [before, after]: readonly [OverlayEffect, OverlayEffect],
  onDisk: (path: WorkspacePath) => Promise<string | undefined>,
): Promise<readonly SuccessiveTexts[]> {
  const replaced: SuccessiveTexts[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(path) === after.get(path)) continue;
    const [old, young] = [await textUnder(before, path, onDisk), await textUnder(after, path, onDisk)];
    if (old === undefined || young === undefined || (!sign.test(old) && !sign.test(young))) continue;
    replaced.push({ path, before: old, after: young });
  }
  return replaced;
}

export async function effectOf(overlay: Overlay): Promise<OverlayEffect> {
  const effect = new Map<WorkspacePath, FileContent | 'removed'>();
  for (const change of await changesOf(overlay)) {
    if (change.from !== undefined) effect.set(change.from, 'removed');
    effect.set(change.path, change.after ?? 'removed');
  }
  return effect;
}

/** The changes of all layers together. An overlay on a Baseline is immutable, so its changes are computed once. */
export function changesOf(overlay: Overlay): Promise<readonly FileChange[]> {
  if (overlay.isEmpty && !(overlay.base instanceof Overlay)) return noChanges;
  if (!(bottomOf(overlay) instanceof Baseline)) return overlay.changes('stack');
  const known = computed.get(overlay);
  if (known) return known;
  const changes = overlay.changes('stack');
  computed.set(overlay, changes);
  return changes;
}

const computed = new WeakMap<Overlay, Promise<readonly FileChange[]>>();
const noChanges: Promise<readonly FileChange[]> = Promise.resolve([]);

/** The source below all layers. */
export function bottomOf(source: FileSource): FileSource {
  return source instanceof Overlay ? bottomOf(source.base) : source;
}

/** Whether an overlay is shown to a server as text in its buffers or as files in a mount. */
export type ProjectionMode = 'buffers' | 'mounted';

/** What is judged: the files an overlay changes, or everything they can affect. */
export type Scope = 'file' | 'workspace';

/**
 * The mode by what the catalogue says of the server. `buffers` is chosen only if the server reports for them exactly what
 * it would report for the same files on disk, and it misses nothing that its compiler, which reads files, reports. A
 * server without a compiler is always asked itself.
 */
export function chooseProjectionMode(
  definition: ServerDefinition,
  effect: OverlayEffect,
  { scope, isOnDisk }: { readonly scope: Scope; readonly isOnDisk: (path: WorkspacePath) => boolean },
): ProjectionMode {
  if (definition.fullCheck?.speaks === 'in-workspace-scope' && scope === 'workspace') return 'mounted';
  const { created, deleted, dependents } = definition.believesUnsaved;
  const mayCreate = (path: WorkspacePath): boolean =>
    created === 'anywhere' ||
    isOnDisk(path) ||
    (created === 'in-existing-directories' && isOnDisk(parentOf(path)));
  const reachesDependents = (path: WorkspacePath): boolean =>
    dependents !== 'translation-units' || (effect.size === 1 && isTranslationUnit(path));
  const areAllBelieved = [...effect].every(([path, content]) => {
    if (!serves(definition, path)) return false;
    if (content === 'removed') return deleted !== 'never';
    return content.kind === 'text' && mayCreate(path) && reachesDependents(path);
  });
  return areAllBelieved ? 'buffers' : 'mounted';
}

/** A C or C++ file that is not included by others, so its text matters to itself alone. */
function isTranslationUnit(path: string): boolean {
  return ['c', 'cc', 'cpp', 'cxx', 'c++'].includes(extensionOf(path));
}

/** As `chooseProjectionMode`, and in a mount too if only the compiler sees what the edit does. */
export async function exactProjectionMode(
  definition: ServerDefinition,
  effect: OverlayEffect,
  { scope, disk }: { readonly scope: Scope; readonly disk: DiskState },
): Promise<ProjectionMode> {
  const mode = chooseProjectionMode(definition, effect, { scope, isOnDisk: (path) => disk.exists(path) });
  if (mode === 'mounted' || definition.fullCheck?.output !== 'go-list') return mode;
  for (const [path, content] of effect) {
    if (content === 'removed' || content.kind !== 'text') continue;
    if (needsCompiler((await disk.text(path)) ?? '', content.text)) return 'mounted';
  }
  return mode;
}

/** The part of the effect that must be in place before the server starts; see startup-config.ts for why. */
export function startupConfigIn(definition: ServerDefinition, effect: OverlayEffect): OverlayEffect {
  if (definition.quirks.takesChangesInOrder) return new Map();
  return new Map([...effect].filter(([path]) => isConfiguredBy(definition, path)));
}
