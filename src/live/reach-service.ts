/**
 * Which files an overlay can affect in one workspace, by the import rules of each server's languages.
 *
 * Invariant: the graphs include every change on disk before they answer.
 */
import { readFileSync } from 'node:fs';
import { isMissing } from '../base/errno.ts';
import { unreachable } from '../base/unreachable.ts';
import { DeclarationIndex } from '../graph/declarations/declaration-index.ts';
import type { EditProof, ProofCondition, TextChange } from '../graph/declarations/edit-proof.ts';
import { InstalledPackages } from '../graph/declarations/installed-packages.ts';
import { isConfigFile, sourceExtensions } from '../graph/reach/reach-family.ts';
import type { ImportedFiles, OverlayTexts, Reach, Survey } from '../graph/reach/reach-graph.ts';
import { ReachIndex } from '../graph/reach/reach-index.ts';
import { isSeenByOthers, keepsTokens } from '../graph/reach/seen-change.ts';
import { dependentNames, mentionsAny } from '../graph/reach/source/library-dependence.ts';
import type { FileChange, Overlay } from '../overlay/overlay.ts';
import { isShownTo, serves } from '../servers/file-relevance.ts';
import { languages } from '../servers/language.ts';
import { changesOf } from '../servers/projection.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import type { DiskState } from '../workspace/disk-state.ts';
import { type FileFilter, isWanted, listFiles } from '../workspace/file-walk.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { baseName, comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';
import { LibraryNotes } from './library-notes.ts';
import type { ProjectionPlan } from './projection-plan.ts';

/** The server whose languages and import rules decide. */
type Located = Pick<ProjectionPlan, 'located'>;

/** The uppermost layer of an overlay on the one directly beneath; without one, all layers are the change. */
export interface LayeredChange {
  readonly overlay: Overlay;
  readonly beneath?: Overlay | undefined;
}

interface LibraryQuestion {
  readonly paths: readonly WorkspacePath[];
  readonly changes: readonly FileChange[];
  readonly missing: ReadonlyMap<WorkspacePath, readonly string[]>;
}

export class ReachService {
  /** Which libraries files import that are not installed. */
  readonly libraries = new LibraryNotes();
  readonly #workspace: Workspace;
  readonly #disk: DiskState;
  readonly #declarations: DeclarationIndex;
  readonly #indexes = new Map<string, ReachIndex>();

  constructor(workspace: Workspace, disk: DiskState) {
    this.#workspace = workspace;
    this.#disk = disk;
    this.#declarations = new DeclarationIndex({
      list: (signal) => this.#list({ extensions: sourceExtensions('ecmascript') }, signal),
      listConfigs: (signal) => this.#list({ matches: (path) => isConfigFile('ecmascript', path) }, signal),
      readText: (path) => sourceText(workspace.absolute(path)),
      packages: new InstalledPackages(workspace.root),
    });
    disk.changes.subscribe((events) => {
      this.#declarations.invalidate(events);
      this.libraries.invalidate(events);
      for (const index of this.#indexes.values()) index.invalidate(events);
    });
  }

  /** As `of`, but only if it can be proved from the changed declarations. */
  async proved(change: LayeredChange, { located }: Located, signal: AbortSignal): Promise<Reach | undefined> {
    const { definition } = located;
    if (definition.reach !== 'ecmascript') return undefined;
    const edits = textChangesOf(relevant(definition, await changesIn(change)));
    if (edits === undefined) return undefined;
    const { beneath } = change;
    const shown = beneath ? textsOf(await changesOf(beneath)) : noTexts;
    const proof = await this.#declarations.prove(edits, shown, signal);
    const changed = [...edits.keys()];
    const reach = provedReach(changed, proof);
    // Which files the projects have is known for the disk, not for what is beneath.
    return reach && (shown.size > 0 ? { ...reach, keepsFiles: false } : reach);
  }

  /** Every file of the server's languages whose diagnostics the change may alter. */
  async of(change: LayeredChange, { located }: Located, signal: AbortSignal): Promise<Reach> {
    const { definition } = located;
    const { overlay, beneath } = change;
    const { seen, alone } = divide(definition, relevant(definition, await changesIn(change)));
    if (seen.length === 0) return withFiles(definition, nothing, alone);
    const index = this.#index(definition);
    if (!beneath) return withFiles(definition, await index.reach(textsOf(seen), signal), alone);
    const [before, after] = await Promise.all([beneath, overlay].map(changesOf));
    const sides = {
      before: textsOf(relevant(definition, before ?? [])),
      after: textsOf(relevant(definition, after ?? [])),
    };
    const reach = await index.reachBetween([...textsOf(seen).keys()], sides, signal);
    return withFiles(definition, reach, alone);
  }
  /** Every file that imports one that the overlay changes, directly or through others, whatever the changes are. */
  async importers(overlay: Overlay, { located }: Located, signal: AbortSignal): Promise<Reach> {
    const { definition } = located;
    const changes = relevant(definition, await changesOf(overlay));
    const reach = await this.#index(definition).reach(textsOf(changes), signal);
    return withFiles(definition, reach, []);
  }

  /** As `of`, but only if the import graph is up to date already, so that it costs almost nothing. */
  async ifFresh(overlay: Overlay, { located }: Located): Promise<Reach | undefined> {
    const { definition } = located;
    const { seen, alone } = divide(definition, relevant(definition, await changesOf(overlay)));
    const reach = seen.length > 0 ? this.#indexes.get(definition.name)?.reachIfFresh(textsOf(seen)) : nothing;
    return reach && withFiles(definition, reach, alone);
  }

  /** Whether the changes alter only text that a compiler ignores: comments, blank lines and the like. */
  async keepTokens(definition: ServerDefinition, changes: readonly FileChange[]): Promise<boolean> {
    if (changes.length === 0) return false;
    if (definition.reach !== 'ecmascript') {
      return changes.every((change) => keepsTokens(definition.reach, change));
    }
    const edits = textChangesOf(changes);
    return edits !== undefined && this.#declarations.keepsTokens(edits);
  }

  /** `paths` and the files that they import, each with the names of the libraries it imports. */
  importedBy(
    definition: ServerDefinition,
    paths: readonly WorkspacePath[],
    changes: readonly FileChange[],
    signal: AbortSignal,
  ): Promise<ImportedFiles> {
    return this.#index(definition).importedBy(paths, textsOf(changes), signal);
  }

  /**
   * Whether a Python file of `paths` may see a type that comes from a missing library through the files it imports.
   * `missing` names the libraries that each of them lacks.
   */
  async seesLibraries(
    definition: ServerDefinition,
    { paths, changes, missing }: LibraryQuestion,
    signal: AbortSignal,
  ): Promise<boolean> {
    const texts = (path: WorkspacePath): readonly string[] => {
      const change = changes.find((each) => each.path === path);
      if (change === undefined) return [sourceText(this.#workspace.absolute(path)) ?? ''];
      return [change.before, change.after].flatMap((content) =>
        content?.kind === 'text' ? [content.text] : [],
      );
    };
    const imported = await this.importedBy(definition, paths, changes, signal);
    const files = [...imported.keys()].flatMap((path) =>
      texts(path).map((text) => ({ text, missing: missing.get(path) ?? [] })),
    );
    const names = dependentNames(files);
    return names === undefined || paths.some((path) => texts(path).some((text) => mentionsAny(text, names)));
  }

  /** The files of `definition`'s family, and the files that configure them. */
  survey(definition: ServerDefinition, signal: AbortSignal): Promise<Survey> {
    return this.#index(definition).survey(signal);
  }

  #index(definition: ServerDefinition): ReachIndex {
    const known = this.#indexes.get(definition.name);
    if (known) return known;
    const options =
      definition.reach === 'all' || definition.reach === 'crate'
        ? { family: definition.reach, extensions: extensionsOf(definition) }
        : { family: definition.reach };
    const index = new ReachIndex(options, {
      // Python's checkers have no notion of build output; such directories are checked like all others.
      list: (extensions, signal) =>
        this.#list(
          { extensions, ...(definition.reach === 'python' && { rule: 'sources-and-outputs' }) },
          signal,
        ),
      readText: (path) => sourceText(this.#workspace.absolute(path)),
    });
    this.#indexes.set(definition.name, index);
    return index;
  }

  /** Files under each name that links give them: what a file imports may depend on the name it is read by. */
  async #list(filter: FileFilter, signal: AbortSignal): Promise<readonly WorkspacePath[]> {
    const [files, names] = await Promise.all([
      listFiles(this.#workspace, filter, signal),
      this.#disk.linkNames(),
    ]);
    if (!names) return files;
    const linked = files.flatMap((path) => names.of(path)).filter((path) => isWanted(baseName(path), filter));
    return [...files, ...linked];
  }
}

const nothing: Reach = { files: [], complete: true };

const noTexts: OverlayTexts = new Map();

function changesIn({ overlay, beneath }: LayeredChange): Promise<readonly FileChange[]> {
  return beneath ? overlay.changes() : changesOf(overlay);
}

/** What a proof says of the files of `changed` and of others; undefined if there is none. */
function provedReach(changed: readonly WorkspacePath[], proof: EditProof): Reach | undefined {
  switch (proof.kind) {
    case 'none':
      return undefined;
    case 'declarations':
      return { files: changed, complete: true, isUnseen: true, ...conditionOf(proof) };
    case 'names': {
      const files = [...changed, ...proof.files].sort(comparePaths);
      return { files, complete: true, direct: proof.direct, ...conditionOf(proof) };
    }
    default:
      return unreachable(proof);
  }
}

/** Separates the changes that affect only their own file from those that other files can see. */
function divide(
  definition: ServerDefinition,
  changes: readonly FileChange[],
): { readonly seen: readonly FileChange[]; readonly alone: readonly WorkspacePath[] } {
  const seen = changes.filter(
    (change) => !serves(definition, change.path) || isSeenByOthers(definition.reach, change),
  );
  const alone = changes.filter((change) => !seen.includes(change)).map(({ path }) => path);
  return { seen, alone };
}

function withFiles(definition: ServerDefinition, reach: Reach, more: readonly WorkspacePath[]): Reach {
  const files = reach.files.filter((path) => serves(definition, path));
  return { ...reach, files: [...new Set([...files, ...more])].sort(comparePaths) };
}

function textsOf(changes: readonly FileChange[]): OverlayTexts {
  const texts = new Map<WorkspacePath, string | undefined>();
  for (const { path, from, after } of changes) {
    if (from !== undefined) texts.set(from, undefined);
    texts.set(path, after?.kind === 'text' ? after.text : undefined);
  }
  return texts;
}

/** The changes that can alter the server's answers. */
function relevant(definition: ServerDefinition, changes: readonly FileChange[]): readonly FileChange[] {
  return changes.filter(({ path }) => isShownTo(definition, path));
}

/** The texts before and after each change; undefined if one of them is not text. */
function textChangesOf(changes: readonly FileChange[]): ReadonlyMap<WorkspacePath, TextChange> | undefined {
  const edits = new Map<WorkspacePath, TextChange>();
  for (const { path, from, before, after } of changes) {
    const isText = [before, after].every((content) => content === undefined || content.kind === 'text');
    if (!isText) return undefined;
    const [old, young] = [before, after].map((content) =>
      content?.kind === 'text' ? content.text : undefined,
    );
    if (from !== undefined) edits.set(from, { before: old, after: undefined });
    edits.set(path, { before: from === undefined ? old : undefined, after: young });
  }
  return edits;
}

function conditionOf({
  condition,
}: {
  readonly condition: ProofCondition;
}): Pick<Reach, 'condition' | 'keepsFiles'> {
  return condition === 'same-files' ? { condition } : { keepsFiles: true };
}

/**
 * Bypasses the cached disk state: for thousands of files the watcher reports the changed ones. Synchronous, since a
 * trip through the thread pool for each file costs more than the read. Throws if a source cannot be read, because its
 * imports are then unknown.
 */
function sourceText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

function extensionsOf(definition: ServerDefinition): ReadonlySet<string> {
  return new Set(
    definition.languages.flatMap((language) => languages.get(language)?.extensions ?? [language]),
  );
}
