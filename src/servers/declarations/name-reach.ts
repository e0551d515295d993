/**
 * Which files can see a difference in certain declarations, by the names under which those are exported, imported and
 * passed on.
 *
 * Modules are told apart by what their specifiers can stand for, never by resolving them: a name that is exported by
 * two modules leads to the importers of both.
 *
 * Invariant: a file that is not among the affected ones imports nothing whose type can rest on a changed part.
 */
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { ImportUse } from './module-bindings.ts';
import { exportedName, type ModuleFacts, partKey } from './module-facts.ts';

/** What is known of the files of a workspace. */
export interface ModuleCatalogue {
  /** The facts of a file: two while it is being changed, none where it does not parse. */
  factsOf(path: WorkspacePath): readonly ModuleFacts[];
  filesNaming(name: string): Iterable<WorkspacePath>;
  filesPassingOn(): Iterable<WorkspacePath>;
  filesTakingDefault(): Iterable<WorkspacePath>;
  mayBe(importer: WorkspacePath, specifier: string, file: WorkspacePath): boolean;
}

export interface ChangedParts {
  readonly changed: ReadonlySet<string>;
  readonly appearing: ReadonlySet<string>;
}

/** `declarations`: through everything that rests on a name. `names`: only where the name itself is passed on. */
export type ReachDepth = 'declarations' | 'names';

/** The affected files, or in words why any file may be. */
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

interface ReachedExport {
  readonly file: WorkspacePath;
  readonly name: string;
}

class NameSearch {
  readonly #modules: ModuleCatalogue;
  readonly #depth: ReachDepth;
  readonly #reached = new Map<WorkspacePath, Set<string>>();
  readonly #appeared = new Set<string>();
  readonly #queue: ReachedExport[] = [];
  readonly #affected = new Set<WorkspacePath>();
  #doubt: string | undefined;

  constructor(modules: ModuleCatalogue, depth: ReachDepth) {
    this.#modules = modules;
    this.#depth = depth;
  }

  affected(): ReadonlySet<WorkspacePath> | string {
    // The queue grows while it is worked off.
    for (const exported of this.#queue) {
      if (this.#doubt !== undefined) return this.#doubt;
      this.#follow(exported);
    }
    return this.#doubt ?? this.#affected;
  }

  /** A name came or went: where modules are passed on whole it may collide with another. */
  appear(file: WorkspacePath, name: string): void {
    if (name === 'default' || this.#appeared.has(`${file}\n${name}`)) return;
    this.#appeared.add(`${file}\n${name}`);
    for (const barrel of this.#barrels(file)) {
      this.#affected.add(barrel);
      this.appear(barrel, name);
    }
  }

  /** Takes in that a part of a file, or what it imports under a key, may look different. */
  reach(file: WorkspacePath, key: string): void {
    const reached = this.#reached.get(file) ?? new Set();
    this.#reached.set(file, reached);
    if (reached.has(key)) return;
    reached.add(key);
    this.#leave(file, key);
    for (const { parts } of this.#modules.factsOf(file)) {
      for (const [other, { mentions }] of parts) {
        if (mentions.has(key) && this.#goesOn(other)) this.reach(file, other);
      }
    }
  }

  #goesOn(part: string): boolean {
    return this.#depth === 'declarations' || exportedName(part) !== undefined;
  }

  /** Notes where the part can be seen outside its file. */
  #leave(file: WorkspacePath, key: string): void {
    const name = exportedName(key);
    if (key === partKey.global) this.#doubt ??= `${file} declares names for every file, and they may change`;
    if (key === partKey.assignment)
      this.#doubt ??= `${file} uses \`export =\`, and what it exports may change`;
    if (/(?:^|\/)tslib\b/.test(file))
      this.#doubt ??= `${file} may be imported by every file that is compiled`;
    for (const { opaque } of this.#modules.factsOf(file))
      if (opaque !== undefined) this.#doubt ??= `${file} may change for others: ${opaque}`;
    if (name !== undefined) this.#queue.push({ file, name });
  }

  #follow({ file, name }: ReachedExport): void {
    for (const importer of this.#importers(file, name)) {
      const modules = this.#modules.factsOf(importer);
      if (modules.length === 0) this.#doubt ??= `${importer} does not parse`;
      for (const { uses } of modules) {
        for (const [key, use] of uses) {
          if (!this.#takes(importer, use, { file, name })) continue;
          this.#affected.add(importer);
          this.reach(importer, key);
        }
      }
    }
    if (name === 'default') return;
    for (const barrel of this.#barrels(file)) this.reach(barrel, partKey.exported(name));
  }

  #importers(file: WorkspacePath, name: string): Iterable<WorkspacePath> {
    const naming = this.#modules.filesNaming(name);
    return mayLackDefault(file) ? new Set([...naming, ...this.#modules.filesTakingDefault()]) : naming;
  }

  #takes(importer: WorkspacePath, use: ImportUse, { file, name }: ReachedExport): boolean {
    const isNamed = use.name === name || use.name === '*' || (use.name === 'default' && mayLackDefault(file));
    return isNamed && this.#modules.mayBe(importer, use.specifier, file);
  }

  /** The files that pass on all names of `file`. */
  #barrels(file: WorkspacePath): readonly WorkspacePath[] {
    return [...this.#modules.filesPassingOn()].filter((barrel) =>
      this.#modules
        .factsOf(barrel)
        .some(({ stars }) => stars.some((specifier) => this.#modules.mayBe(barrel, specifier, file))),
    );
  }
}

/** A module that is not known to be an ECMAScript module may be its own default. */
function mayLackDefault(file: WorkspacePath): boolean {
  return /\.d\.[mc]?ts$|\.c[tj]s$|\.jsx?$/.test(file);
}
