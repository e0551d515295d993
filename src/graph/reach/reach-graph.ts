import { unreachable } from '../../base/unreachable.ts';
import { comparePaths, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { type ConfigMeaning, configMeaning } from './config-meaning.ts';
import { scanImports } from './import-scan.ts';
import { CKeys } from './keys/c-keys.ts';
import { CrateKeys } from './keys/crate-keys.ts';
import { EcmascriptKeys } from './keys/ecmascript-keys.ts';
import { GoKeys } from './keys/go-keys.ts';
import { PythonKeys } from './keys/python-keys.ts';
import type { ReachKeys } from './keys/reach-keys.ts';
import { isConfigFile, type ReachFamily } from './reach-family.ts';
import { anySpecifier } from './scan/imports.ts';

/** The files whose diagnostics a change may alter. */
export interface Reach {
  /** Sorted; the changed files that still exist are among them. */
  readonly files: readonly WorkspacePath[];
  /** False if something that affects the answer could not be read. */
  readonly complete: boolean;
  /** Why the answer is incomplete, or the whole workspace. */
  readonly why?: string;
  /** The ones of `files` that see the change directly, if known. */
  readonly direct?: readonly WorkspacePath[];
  /** Whether it is proved that every project has the same files as without the change. */
  readonly keepsFiles?: boolean;
  /** Whether no other file can see a difference, in any project. */
  readonly isUnseen?: boolean;
  /** Valid only if every project has the same files as before; absent: in any case. */
  readonly condition?: 'same-files';
  /** Files that are part of a project on one side of the change only, and are compared with nothing. */
  readonly entering?: ReadonlySet<string>;
  readonly leaving?: ReadonlySet<string>;
  /** Incomplete only because a configuration may make other files checked: complete with the files of every project. */
  readonly isOpenToMembers?: boolean;
}

/** Facts about a source file besides its imports of other files. */
export interface SourceFile {
  readonly path: WorkspacePath;
  /** Whether files that do not import it may depend on it. */
  readonly isGlobal: boolean;
  /** What it imports under names that are no paths, case-folded: libraries, aliases, packages of the workspace. */
  readonly libraries: readonly string[];
}

/** All files of the graph. */
export interface Survey {
  readonly files: readonly SourceFile[];
  /** The configuration files. */
  readonly configs: readonly WorkspacePath[];
}

/** Files with the names by which they import what is not in the workspace. */
export type ImportedFiles = ReadonlyMap<WorkspacePath, readonly string[]>;

/** The texts of an overlay; `undefined` for a removed file. */
export type OverlayTexts = ReadonlyMap<WorkspacePath, string | undefined>;

/** Two overlays on the same disk, the second of which has a change more. */
export interface ComparedTexts {
  readonly before: OverlayTexts;
  readonly after: OverlayTexts;
}

/**
 * The import graph of one workspace, for the languages of one family.
 *
 * Invariant: `dependentsOf` never misses a file that depends on a changed one, before or after the change, directly
 * or transitively; it may return a few files too many.
 */
export class ReachGraph {
  readonly #family: ReachFamily;
  readonly #keys: ReachKeys;
  readonly #files = new Map<WorkspacePath, GraphFile>();
  readonly #shelves = new Map<string, ImporterSet>();
  readonly #configs = new Map<WorkspacePath, ConfigMeaning>();
  /** Built on first use, and again when there are other files or configurations. */
  #providers: Providers | undefined;
  #imported: { readonly question: string; readonly files: ImportedFiles } | undefined;

  constructor(family: ReachFamily) {
    this.#family = family;
    this.#keys = keysOf(family);
  }

  /** Sets the text at `path`; undefined if there is none. */
  update(path: WorkspacePath, text: string | undefined): void {
    if (this.#isConfig(path)) this.configure(path, text);
    else this.#file(path, text);
  }

  /** Adds a configuration file, whatever its name. */
  configure(path: WorkspacePath, text: string | undefined): void {
    if (text === undefined) this.#configs.delete(path);
    else this.#configs.set(path, configMeaning(path, text));
    this.#keys.configure(path, text);
    this.#providers = undefined;
    this.#imported = undefined;
  }

  survey(): Survey {
    const files = [...this.#files].map(([path, { shelves, isGlobal }]) => ({
      path,
      isGlobal,
      libraries: shelves.flatMap(({ key }) => (key.startsWith('s:') ? [key.slice(2)] : [])),
    }));
    return { files, configs: [...this.#configs.keys()] };
  }

  /** Every file whose diagnostics may differ once `changed` has the contents of the overlay. */
  dependentsOf(changed: readonly WorkspacePath[], overlay: OverlayTexts): Reach {
    const shown = this.#scanOverlay(overlay);
    const exists = (path: WorkspacePath) =>
      overlay.has(path) ? overlay.get(path) !== undefined : this.#files.has(path) || this.#configs.has(path);
    const spread = this.#spread(changed, shown, exists);
    const files =
      spread.why === undefined ? spread.files : [...changed, ...this.#files.keys(), ...overlay.keys()];
    const ofMembers = this.#membershipDoubt(overlay);
    const ofKeys = this.#keys.doubt();
    const doubt = ofKeys ?? ofMembers;
    const why = doubt ?? spread.why;
    return {
      files: [...new Set(files)]
        .filter((path) => exists(path) && !this.#keys.isApart?.(path, changed))
        .sort(comparePaths),
      complete: doubt === undefined,
      ...(why !== undefined && { why }),
      ...(ofKeys === undefined && ofMembers !== undefined && { isOpenToMembers: true }),
    };
  }

  /**
   * Every file whose diagnostics may differ between two overlays that differ at `changed`. What both alter alike makes no
   * difference by itself, but for configurations: these decide by which names files find one another.
   */
  dependentsBetween(changed: readonly WorkspacePath[], { before, after }: ComparedTexts): Reach {
    const sources = changed.filter((path) => !this.#isConfig(path));
    const side = (texts: OverlayTexts): Reach => {
      const configs = [...texts.keys()].filter((path) => this.#isConfig(path));
      return this.dependentsOf([...sources, ...configs], texts);
    };
    return ofBoth(side(before), side(after));
  }

  /**
   * `paths` and the files that they import, transitively; each with the first segments of the names it imports that no
   * file here provides. `overlay` is included. A source of `unread` is found, but not followed: its text is not
   * known yet.
   */
  importedBy(
    paths: readonly WorkspacePath[],
    overlay: OverlayTexts,
    unread: ReadonlySet<WorkspacePath> = new Set(),
  ): ImportedFiles {
    const shown = new Map<WorkspacePath, ReadonlySet<string>>();
    for (const [path, text] of overlay) {
      if (text === undefined || this.#isConfig(path)) continue;
      shown.set(path, this.#importKeys(path, scanImports(this.#family, path, text).specifiers));
    }
    // Consecutive requests are about the same files, and few edits alter imports.
    const question = JSON.stringify([paths, [...shown].map(([path, keys]) => [path, [...keys]])]);
    if (this.#imported?.question === question) return this.#imported.files;
    const files = this.#importedBy(paths, shown, this.#providersOf(unread));
    this.#imported = { question, files };
    return files;
  }

  #importedBy(
    paths: readonly WorkspacePath[],
    shown: ReadonlyMap<WorkspacePath, ReadonlySet<string>>,
    providers: Providers['byKey'],
  ): ImportedFiles {
    const files = new Map<WorkspacePath, readonly string[]>();
    const reached = new Set(paths);
    for (const path of reached) {
      const keys = [
        ...(shown.get(path) ?? []),
        ...(this.#files.get(path)?.shelves ?? []).map(({ key }) => key),
      ];
      for (const key of keys) for (const provider of providers.get(key) ?? []) reached.add(provider);
      const names = keys.flatMap((key) =>
        /^m:[^/]+$/.test(key) && !providers.has(key) ? [key.slice(2)] : [],
      );
      files.set(path, [...new Set(names)]);
    }
    return files;
  }

  /** The files by the keys under which they are imported. */
  #providersOf(unread: ReadonlySet<WorkspacePath>): Providers['byKey'] {
    const known = this.#providers;
    if (known && [...unread].every((path) => known.paths.has(path))) return known.byKey;
    const paths = new Set([...this.#files.keys(), ...unread]);
    const byKey = new Map<string, WorkspacePath[]>();
    for (const path of paths) {
      for (const key of this.#keys.fileKeys(path, 'stays')) {
        const filed = byKey.get(key);
        if (filed) filed.push(path);
        else byKey.set(key, [path]);
      }
    }
    this.#providers = { paths, byKey };
    return byKey;
  }

  #membershipDoubt(overlay: OverlayTexts): string | undefined {
    for (const [path, text] of overlay) {
      if (
        this.#isConfig(path) &&
        this.#meaningBefore(path).membership !== configMeaning(path, text).membership
      )
        return `${path} decides which files are checked; the errors of files that enter or leave are not known`;
    }
    return undefined;
  }

  #meaningBefore(path: WorkspacePath): ConfigMeaning {
    return this.#configs.get(path) ?? configMeaning(path, undefined);
  }

  /** Follows imports backwards until no new file is found; returns why if that would be every file. */
  #spread(
    changed: readonly WorkspacePath[],
    shown: ShownFiles,
    exists: (path: WorkspacePath) => boolean,
  ): { readonly files: Iterable<WorkspacePath>; readonly why?: string } {
    const files = new Set(changed);
    const config = changed.find((path) => this.#isConfig(path) && !shown.unmoved.has(path));
    if (config !== undefined) return { files, why: `${config} bears on every file` };
    // A Set iterates over elements added during the iteration, so it is its own queue.
    for (const path of files) {
      if (shown.unseen.has(path)) continue;
      const before = this.#files.get(path);
      if (before?.isGlobal || shown.globals.has(path))
        return { files, why: `${path} is visible in every file` };
      const presence = (before !== undefined) === exists(path) ? 'stays' : 'comes-or-goes';
      for (const key of [anyKey, ...this.#keys.fileKeys(path, presence)]) {
        this.#addImporters(files, key, shown);
      }
    }
    return { files };
  }

  #addImporters(files: Set<WorkspacePath>, key: string, shown: ShownFiles): void {
    for (const importer of this.#shelves.get(key)?.importers ?? []) files.add(importer);
    for (const importer of shown.importers.get(key) ?? []) files.add(importer);
  }

  #scanOverlay(overlay: OverlayTexts): ShownFiles {
    const globals = new Set<WorkspacePath>();
    const importers = new Map<string, WorkspacePath[]>();
    for (const [path, text] of overlay) {
      if (text === undefined || this.#isConfig(path)) continue;
      const scan = scanImports(this.#family, path, text);
      if (scan.isGlobal) globals.add(path);
      for (const key of this.#importKeys(path, scan.specifiers)) {
        const filed = importers.get(key);
        if (filed) filed.push(path);
        else importers.set(key, [path]);
      }
    }
    return { globals, importers, ...this.#sameConfigs(overlay) };
  }

  #sameConfigs(overlay: OverlayTexts): Pick<ShownFiles, 'unmoved' | 'unseen'> {
    const compared = [...overlay]
      .filter(([path]) => this.#isConfig(path))
      .map(([path, text]) => ({ path, before: this.#meaningBefore(path), after: configMeaning(path, text) }));
    const unmoved = compared.filter(({ before, after }) => before.relevant === after.relevant);
    const unseen = unmoved.filter(
      ({ before, after }) => after.shape !== undefined && before.shape === after.shape,
    );
    const pathsOf = (configs: typeof compared) => new Set(configs.map(({ path }) => path));
    return { unmoved: pathsOf(unmoved), unseen: pathsOf(unseen) };
  }

  #file(path: WorkspacePath, text: string | undefined): void {
    if (text === undefined || this.#providers?.paths.has(path) === false) this.#providers = undefined;
    this.#imported = undefined;
    for (const importerSet of this.#files.get(path)?.shelves ?? []) {
      importerSet.importers.delete(path);
      if (importerSet.importers.size === 0) this.#shelves.delete(importerSet.key);
    }
    this.#files.delete(path);
    if (text === undefined) return;
    const { specifiers, isGlobal } = scanImports(this.#family, path, text);
    const shelves: ImporterSet[] = [];
    for (const key of this.#importKeys(path, specifiers)) {
      const importerSet = this.#shelves.get(key) ?? { key, importers: new Set() };
      this.#shelves.set(importerSet.key, importerSet);
      importerSet.importers.add(path);
      shelves.push(importerSet);
    }
    this.#files.set(path, { shelves, isGlobal });
  }

  #importKeys(path: WorkspacePath, specifiers: readonly string[]): ReadonlySet<string> {
    const keys = new Set(this.#keys.importKeys(path, specifiers));
    return specifiers.includes(anySpecifier) ? keys.add(anyKey) : keys;
  }

  #isConfig(path: WorkspacePath): boolean {
    return this.#configs.has(path) || isConfigFile(this.#family, path);
  }
}

/** The importers with one key. The key is stored once, however many files share it. */
interface ImporterSet {
  readonly key: string;
  readonly importers: Set<WorkspacePath>;
}

/** Every file by the keys under which it is imported. */
interface Providers {
  readonly paths: ReadonlySet<WorkspacePath>;
  readonly byKey: ReadonlyMap<string, readonly WorkspacePath[]>;
}

interface GraphFile {
  readonly shelves: readonly ImporterSet[];
  readonly isGlobal: boolean;
}

/** The imports of the overlay's texts. */
interface ShownFiles {
  readonly globals: ReadonlySet<WorkspacePath>;
  readonly importers: ReadonlyMap<string, readonly WorkspacePath[]>;
  /** Configurations whose meaning is unchanged. */
  readonly unmoved: ReadonlySet<WorkspacePath>;
  /** The ones of them that are the same to files that import them, too. */
  readonly unseen: ReadonlySet<WorkspacePath>;
}

const anyKey = '*';

/** Both together: complete if both are, and completed as both can be. */
function ofBoth(one: Reach, other: Reach): Reach {
  const incomplete = [one, other].filter(({ complete }) => !complete);
  const why = incomplete.find((each) => each.why !== undefined)?.why;
  const isOpenToMembers = incomplete.length > 0 && incomplete.every((each) => each.isOpenToMembers);
  return {
    files: [...new Set([...one.files, ...other.files])].sort(comparePaths),
    complete: incomplete.length === 0,
    ...(why !== undefined && { why }),
    ...(isOpenToMembers && { isOpenToMembers }),
  };
}

/** The import rules of a family, without any configuration. */
export function keysOf(family: ReachFamily): ReachKeys {
  switch (family) {
    case 'ecmascript':
      return new EcmascriptKeys();
    case 'python':
      return new PythonKeys();
    case 'go':
      return new GoKeys();
    case 'c':
      return new CKeys();
    case 'crate':
      return new CrateKeys();
    case 'all':
      return noKeys;
    default:
      return unreachable(family);
  }
}

/** For families whose files are all global: imports are not followed. */
const noKeys: ReachKeys = {
  importKeys: () => [],
  fileKeys: () => [],
  configure: () => {},
  doubt: () => undefined,
};
