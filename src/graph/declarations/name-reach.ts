/**
 * Which files can see a difference in certain declarations, by the names under which these are exported, imported and
 * re-exported.
 *
 * Modules are distinguished by what their specifiers can refer to, never by resolving them: a name exported by two
 * modules leads to the importers of both.
 *
 * Invariant: a file that is not listed imports nothing whose type can depend on a changed part.
 */
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import {
  augmentedName,
  exportedName,
  type ImportUse,
  type ModuleFacts,
  partKey,
  partsMentioning,
  useEntriesOf,
} from './module-facts.ts';

/** What is known of the files of a workspace. */
export interface ModuleCatalogue {
  /** The facts of a file: two while it is being changed, none if it does not parse. */
  factsOf(path: WorkspacePath): readonly ModuleFacts[];
  filesNaming(name: string): Iterable<WorkspacePath>;
  filesPassingOn(): Iterable<WorkspacePath>;
  filesTakingDefault(): Iterable<WorkspacePath>;
  /** The files that may use a whole module, without naming what they use of it. */
  filesTakingAll(): Iterable<WorkspacePath>;
  /** Whether a specifier may refer to a file; without a file, to one outside the workspace. */
  mayBe(importer: WorkspacePath, specifier: string, file: WorkspacePath | undefined): boolean;
  /** Whether the default that `importer` imports from `file` may be the whole module. */
  mayBeItsOwnDefault(importer: WorkspacePath, file: WorkspacePath): boolean;
  /** Files that import from libraries whose own types come from the workspace, with the specifiers of these. */
  filesUsingDependents(): Iterable<readonly [WorkspacePath, ReadonlySet<string>]>;
}

export interface ChangedParts {
  readonly changed: ReadonlySet<string>;
  readonly appearing: ReadonlySet<string>;
}

/** `declarations`: through everything that depends on a name. `names`: only where the name itself is re-exported. */
export type ReachDepth = 'declarations' | 'names';

/** The affected files, or in words why any file may be affected. */
export function filesReachedBy(
  changes: ReadonlyMap<WorkspacePath, ChangedParts>,
  modules: ModuleCatalogue,
  depth: ReachDepth,
): ReadonlySet<WorkspacePath> | string {
  const search = new NameSearch(modules, depth);
  for (const [path, { changed, appearing }] of changes) {
    for (const key of changed) search.reach(path, key);
    for (const name of appearing) search.appear(path, name);
  }
  return search.affected();
}

/** Whether the differences are visible only within the edited files. */
export function isSeenNowhere(
  differences: ReadonlyMap<WorkspacePath, ChangedParts>,
  edits: ReadonlyMap<WorkspacePath, { readonly before: ModuleFacts; readonly after: ModuleFacts }>,
): boolean {
  let asksOthers = false;
  const others = <Answer>(answer: Answer): Answer => {
    asksOthers = true;
    return answer;
  };
  const reached = filesReachedBy(
    differences,
    {
      factsOf: (path) => {
        const edit = edits.get(path);
        return edit ? [edit.before, edit.after] : others([]);
      },
      filesNaming: () => others([]),
      filesPassingOn: () => others([]),
      filesTakingDefault: () => others([]),
      filesTakingAll: () => others([]),
      mayBe: () => others(false),
      mayBeItsOwnDefault: () => others(false),
      filesUsingDependents: () => others([]),
    },
    'declarations',
  );
  return !asksOthers && typeof reached !== 'string' && reached.size === 0;
}

interface ReachedExport {
  readonly file: WorkspacePath;
  readonly name: string;
}

class NameSearch {
  readonly #modules: ModuleCatalogue;
  readonly #depth: ReachDepth;
  readonly #reached = new Map<WorkspacePath, Set<string>>();
  readonly #augmented = new Set<string>();
  readonly #appeared = new Set<string>();
  readonly #uses: NamedUses;
  readonly #followed = new Set<WorkspacePath>();
  readonly #followedAsDefault = new Set<WorkspacePath>();
  readonly #barrels = new Map<WorkspacePath, readonly WorkspacePath[]>();
  readonly #queue: ReachedExport[] = [];
  readonly #affected = new Set<WorkspacePath>();
  #doubt: string | undefined;

  constructor(modules: ModuleCatalogue, depth: ReachDepth) {
    this.#modules = modules;
    this.#depth = depth;
    this.#uses = NamedUses.in(modules);
  }

  affected(): ReadonlySet<WorkspacePath> | string {
    if (this.#queue.length > 0) this.#reachThroughLibraries();
    // The queue grows during the iteration.
    for (const exported of this.#queue) {
      if (this.#doubt !== undefined) return this.#doubt;
      this.#follow(exported);
    }
    return this.#doubt ?? this.#affected;
  }

  /** A name was added or removed: where whole modules are re-exported it may collide with another. */
  appear(file: WorkspacePath, name: string): void {
    if (name === 'default' || this.#appeared.has(`${file}\n${name}`)) return;
    this.#appeared.add(`${file}\n${name}`);
    for (const barrel of this.#barrelsOf(file)) {
      this.#affected.add(barrel);
      this.appear(barrel, name);
    }
  }

  /** Marks a part of a file, or an import key, as possibly different. */
  reach(file: WorkspacePath, key: string): void {
    const reached = this.#reached.get(file) ?? new Set();
    this.#reached.set(file, reached);
    if (reached.has(key)) return;
    reached.add(key);
    this.#leave(file, key);
    for (const facts of this.#modules.factsOf(file)) {
      for (const part of partsMentioning(facts, key)) if (this.#goesOn(part)) this.reach(file, part);
    }
  }

  #goesOn(part: string): boolean {
    return this.#depth === 'declarations' || exportedName(part) !== undefined;
  }

  /** Records where the part is visible outside its file. */
  #leave(file: WorkspacePath, key: string): void {
    if (key === partKey.global) this.#doubt ??= `${file} declares names for every file, and they may change`;
    if (key === partKey.assignment)
      this.#doubt ??= `${file} uses \`export =\`, and what it exports may change`;
    if (/(?:^|\/)tslib\b/.test(file))
      this.#doubt ??= `${file} may be imported by every file that is compiled`;
    const name = exportedName(key);
    if (name !== undefined) this.#queue.push({ file, name });
    const augmented = augmentedName(key);
    if (augmented && this.#isInWorkspace(file, augmented)) this.#augment(augmented.name);
    else if (augmented)
      this.#doubt ??= `${file} adds to ${augmented.name} of ${augmented.specifier}, and that may change`;
  }

  /** Whether the augmented module lies in the workspace: the effect on a library is unknown. */
  #isInWorkspace(file: WorkspacePath, { specifier, name }: ImportUse): boolean {
    if (this.#modules.mayBe(file, specifier, undefined)) return false;
    const targets = [...this.#modules.filesNaming(name), ...this.#modules.filesPassingOn()].filter((target) =>
      this.#modules.mayBe(file, specifier, target),
    );
    return targets.some((target) =>
      this.#modules.factsOf(target).some((facts) => this.#mayHold(target, facts, name)),
    );
  }

  /** Whether the file declares `name`, or imports it only from files of the workspace. */
  #mayHold(file: WorkspacePath, { parts, uses, stars }: ModuleFacts, name: string): boolean {
    const mentions = [...(parts.get(partKey.exported(name))?.mentions ?? [])];
    const sources = mentions.flatMap((mention) => uses.get(mention)?.specifier ?? []);
    const passed = mentions.length > 0 ? sources : stars;
    return (
      parts.has(name) ||
      (passed.length > 0 && passed.every((source) => !this.#modules.mayBe(file, source, undefined)))
    );
  }

  /** Something augments `name` of another file, which may re-export it from a third. */
  #augment(name: string): void {
    if (this.#augmented.has(name)) return;
    this.#augmented.add(name);
    for (const file of this.#modules.filesNaming(name)) {
      for (const { parts } of this.#modules.factsOf(file)) {
        if (!parts.has(name) && !parts.has(partKey.exported(name))) continue;
        this.#affected.add(file);
        this.reach(file, name);
        this.reach(file, partKey.exported(name));
      }
    }
  }

  #follow({ file, name }: ReachedExport): void {
    this.#reachUses(this.#uses.of(name), file);
    this.#followWhole(file);
    if (name === 'default') return;
    this.#followWholeDefault(file);
    for (const barrel of this.#barrelsOf(file)) this.reach(barrel, partKey.exported(name));
  }

  /** Whoever imports the whole of a file sees each of its names, so it is followed with the first of them. */
  #followWhole(file: WorkspacePath): void {
    if (this.#followed.has(file)) return;
    this.#followed.add(file);
    this.#reachUses(this.#uses.ofWholeModules, file);
  }

  /** The default that a file imports may be the whole of another, with all of its names but the default. */
  #followWholeDefault(file: WorkspacePath): void {
    if (this.#followedAsDefault.has(file)) return;
    this.#followedAsDefault.add(file);
    const { unparsed, uses } = this.#uses.ofDefaults;
    const isWhole = (importer: WorkspacePath): boolean => this.#modules.mayBeItsOwnDefault(importer, file);
    this.#reachUses(
      { unparsed: unparsed.filter(isWhole), uses: uses.filter(({ importer }) => isWhole(importer)) },
      file,
    );
  }

  #reachUses({ unparsed, uses }: FoundUses, file: WorkspacePath): void {
    if (unparsed[0] !== undefined) this.#doubt ??= notParsed(unparsed[0]);
    for (const { importer, key, specifier } of uses) {
      if (!this.#modules.mayBe(importer, specifier, file)) continue;
      this.#affected.add(importer);
      this.reach(importer, key);
    }
  }

  /** What a library takes from the workspace and passes on is not read: all that is imported from it may differ. */
  #reachThroughLibraries(): void {
    for (const [importer, specifiers] of this.#modules.filesUsingDependents()) {
      for (const { uses } of this.#parsed(importer)) {
        const keys = [...uses].filter(([, use]) => specifiers.has(use.specifier));
        if (keys.length > 0) this.#affected.add(importer);
        for (const [key] of keys) this.reach(importer, key);
      }
    }
  }

  #parsed(file: WorkspacePath): readonly ModuleFacts[] {
    const modules = this.#modules.factsOf(file);
    if (modules.length === 0) this.#doubt ??= notParsed(file);
    return modules;
  }

  /** The files that re-export all names of `file`. */
  #barrelsOf(file: WorkspacePath): readonly WorkspacePath[] {
    const known = this.#barrels.get(file);
    if (known) return known;
    const passesOn = (barrel: WorkspacePath, { stars }: ModuleFacts) =>
      stars.some((specifier) => this.#modules.mayBe(barrel, specifier, file));
    const barrels = [...this.#modules.filesPassingOn()].filter((barrel) =>
      this.#parsed(barrel).some((facts) => passesOn(barrel, facts)),
    );
    this.#barrels.set(file, barrels);
    return barrels;
  }
}

function notParsed(file: WorkspacePath): string {
  return `${file} does not parse`;
}

/** What a file imports under a name. */
interface NamedUse {
  readonly importer: WorkspacePath;
  readonly key: string;
  readonly specifier: string;
}

interface FoundUses {
  readonly uses: readonly NamedUse[];
  /** Files that may have more of them. */
  readonly unparsed: readonly WorkspacePath[];
}

/**
 * The imports of each name in a catalogue. A search reaches the same name in many files, and most files that mention it import it
 * from none of them.
 */
class NamedUses {
  static readonly #known = new WeakMap<ModuleCatalogue, NamedUses>();
  readonly #modules: ModuleCatalogue;
  readonly #byName = new Map<string, FoundUses>();
  #ofWholeModules: FoundUses | undefined;
  #ofDefaults: FoundUses | undefined;

  private constructor(modules: ModuleCatalogue) {
    this.#modules = modules;
  }

  static in(modules: ModuleCatalogue): NamedUses {
    const uses = NamedUses.#known.get(modules) ?? new NamedUses(modules);
    NamedUses.#known.set(modules, uses);
    return uses;
  }

  of(name: string): FoundUses {
    const known = this.#byName.get(name);
    if (known) return known;
    const found = this.#among(this.#modules.filesNaming(name), name);
    this.#byName.set(name, found);
    return found;
  }

  get ofWholeModules(): FoundUses {
    this.#ofWholeModules ??= this.#among(this.#modules.filesTakingAll(), '*');
    return this.#ofWholeModules;
  }

  get ofDefaults(): FoundUses {
    this.#ofDefaults ??= this.#among(this.#modules.filesTakingDefault(), 'default');
    return this.#ofDefaults;
  }

  #among(files: Iterable<WorkspacePath>, name: string): FoundUses {
    const uses: NamedUse[] = [];
    const unparsed: WorkspacePath[] = [];
    for (const importer of files) {
      const modules = this.#modules.factsOf(importer);
      if (modules.length === 0) unparsed.push(importer);
      for (const facts of modules)
        for (const [key, { specifier }] of useEntriesOf(facts, name)) uses.push({ importer, key, specifier });
    }
    return { uses, unparsed };
  }
}
