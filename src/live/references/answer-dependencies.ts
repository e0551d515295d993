/**
 * What the references of a symbol depend on: which files, with which contents.
 *
 * A server finds the references of a name in texts that contain it, or that contain an alias given to it in such a
 * text. The meaning of each occurrence is decided by that text and everything it imports, transitively; by texts that
 * are globally visible; and by configuration and packages. Therefore:
 *
 * dependencies = every text that may mention the name, all they import, every global text, everything that is no
 * source
 *
 * If configuration names only the entry files of a project, imports decide what else belongs to it; then the whole
 * import graph is part of the dependencies too.
 *
 * A text outside of this set contains no reference and does not affect the meaning of one. To gain one it must change
 * so that it mentions the name, or a text of the set must change so that it imports it; either way the set or a
 * content in it changes, and so does its fingerprint. If a name may be used without being spelled (a constructor, a
 * default export, a keyword), or if names are bound in ways not parsed here, the dependencies are the whole
 * workspace.
 *
 * Invariant: equal fingerprints mean equal answers of the same server; a set that is too large only costs cache hits.
 */

import type { ReachKeys } from '../../graph/reach/keys/reach-keys.ts';
import type { ReachFamily } from '../../graph/reach/reach-family.ts';
import { keysOf } from '../../graph/reach/reach-graph.ts';
import { anySpecifier } from '../../graph/reach/scan/imports.ts';
import { sha256 } from '../../storage/hash.ts';
import { baseName, comparePaths, type WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Inventory } from './file-inventory.ts';
import { mayMention, numberOf, type SourceFacts } from './source-facts.ts';

export interface Dependencies {
  readonly fingerprint: string;
  /** The source files among them. */
  readonly paths: ReadonlySet<WorkspacePath>;
  /** The source files that may contain a reference. */
  readonly holders: ReadonlySet<WorkspacePath>;
}

export class AnswerDependencies {
  readonly #inventory: Inventory;
  readonly #family: ReachFamily;
  readonly #imports: ImportGraph;
  /** The hash of everything that belongs to every set. */
  readonly #common: string;
  readonly #known = new Map<string, Dependencies>();

  /** `surroundings` describes what lies outside of the inventory. */
  constructor(
    { family, imports }: { readonly family: ReachFamily; readonly imports: ImportGraph },
    inventory: Inventory,
    surroundings: string,
  ) {
    this.#inventory = inventory;
    this.#family = family;
    this.#imports = imports;
    const others = listed(inventory.others.keys(), (path) => inventory.others.get(path));
    this.#common = sha256(`${others}\n${surroundings}\n${membersOf(family, inventory)}`);
  }

  /** For the references of a name; undefined stands for an unknown name. */
  ofUses(name: string | undefined): Dependencies {
    const key = name ?? '';
    const dependencies = this.#known.get(key) ?? this.#fingerprinted(this.#sourcesOf(name));
    this.#known.set(key, dependencies);
    return dependencies;
  }

  /** For answers about the text of one file alone; undefined if it is no source. */
  ofText(path: WorkspacePath): Dependencies | undefined {
    const hash = this.#inventory.sources.get(path)?.hash;
    if (hash === undefined) return undefined;
    const paths = new Set([path]);
    return { fingerprint: hash, paths, holders: paths };
  }

  #fingerprinted({ paths, holders }: Omit<Dependencies, 'fingerprint'>): Dependencies {
    const contents = listed(paths, (path) => this.#inventory.sources.get(path)?.hash);
    return { fingerprint: sha256(`${this.#common}\n${contents}`), paths, holders };
  }

  #sourcesOf(name: string | undefined): Omit<Dependencies, 'fingerprint'> {
    const { sources } = this.#inventory;
    const all = new Set(sources.keys());
    const everything = { paths: all, holders: all };
    if (name === undefined || !isAlwaysSpelled(this.#family, name)) return everything;
    if (!namesFiles.has(this.#family) || this.#imports.doubt() !== undefined) return everything;
    const holders = this.#mentioning(numberOf(name));
    if (!holders) return everything;
    const visible = [...sources].flatMap(([path, { isGlobal }]) => (isGlobal ? path : []));
    const paths = this.#imports.closure(new Set([...holders, ...visible]));
    return paths ? { paths, holders } : everything;
  }

  /** Files that may mention the symbol or one of its aliases; undefined if it can be imported under any name. */
  #mentioning(name: number): Set<WorkspacePath> | undefined {
    const names = new Set([name]);
    const found = new Set<WorkspacePath>();
    // A Set iterates over elements added during the iteration.
    for (const each of names) {
      for (const [path, facts] of this.#inventory.sources) {
        if (!mayMention(facts, each)) continue;
        if (facts.isOpaque || facts.unbound.includes(each)) return undefined;
        found.add(path);
        for (const other of renamesOf(facts, each)) names.add(other);
      }
    }
    return found;
  }
}

/**
 * The forward import graph. It is updated with each inventory and keeps results while they are valid.
 *
 * Invariant: an import leads to every file that it may resolve to, as do the keys the graph is built from.
 */
export class ImportGraph {
  readonly #family: ReachFamily;
  #keys: ReachKeys;
  #terms: ReadonlyMap<WorkspacePath, string> = new Map();
  #sources: Inventory['sources'] = new Map();
  #files = new Map<string, WorkspacePath[]>();
  #imported = new Map<SourceFacts, readonly WorkspacePath[]>();

  constructor(family: ReachFamily) {
    this.#family = family;
    this.#keys = keysOf(family);
  }

  take({ sources, terms }: Inventory): void {
    const isSame = sameKeys(sources, this.#sources) && sameEntries(terms, this.#terms);
    this.#sources = sources;
    if (isSame) return;
    this.#terms = terms;
    this.#keys = keysOf(this.#family);
    for (const [path, text] of terms) this.#keys.configure(path, text);
    this.#imported = new Map();
    this.#files = new Map();
    for (const path of sources.keys()) {
      for (const key of new Set(this.#keys.fileKeys(path, 'comes-or-goes'))) {
        const filed = this.#files.get(key);
        if (filed) filed.push(path);
        else this.#files.set(key, [path]);
      }
    }
  }

  /** What about the configuration could not be parsed, if anything. */
  doubt(): string | undefined {
    return this.#keys.doubt();
  }

  /** The files and all they import, transitively; undefined if that may be any file. */
  closure(files: ReadonlySet<WorkspacePath>): ReadonlySet<WorkspacePath> | undefined {
    const reached = new Set(files);
    for (const path of reached) {
      const facts = this.#sources.get(path);
      if (!facts) continue;
      if (facts.specifiers.includes(anySpecifier)) return undefined;
      for (const imported of this.#importedBy(path, facts)) reached.add(imported);
    }
    return reached;
  }

  #importedBy(path: WorkspacePath, facts: SourceFacts): readonly WorkspacePath[] {
    const known = this.#imported.get(facts);
    if (known) return known;
    const found = new Set<WorkspacePath>();
    for (const key of this.#keys.importKeys(path, facts.specifiers)) {
      for (const file of this.#files.get(key) ?? []) found.add(file);
    }
    const imported = [...found];
    this.#imported.set(facts, imported);
    return imported;
  }
}

/** What decides which files belong to a project besides its configuration; empty if all files do. */
function membersOf(family: ReachFamily, { sources, terms }: Inventory): string {
  const isNarrow = [...terms].some(
    ([path, text]) => baseName(path) !== 'package.json' && /"(?:files|include|references)"\s*:/.test(text),
  );
  if (family !== 'ecmascript' || !isNarrow) return '';
  return listed(sources.keys(), (path) => sources.get(path)?.specifiers.join(' '));
}

/** Families whose files import by name. */
const namesFiles: ReadonlySet<ReachFamily> = new Set(['ecmascript', 'python']);

/** Whether every reference of a symbol with this name is spelled like it or like an alias. */
function isAlwaysSpelled(family: ReachFamily, name: string): boolean {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return false;
  if (family === 'python') return !pythonWords.has(name) && !/^__.*__$/.test(name);
  return !ecmascriptWords.has(name);
}

/** Keywords: a position on one refers to something else, or to something nearby. */
const ecmascriptWords = wordSet(
  'abstract accessor any arguments as asserts assert async await bigint boolean break case catch class const',
  'constructor continue debugger declare default defer delete do else enum export exports extends false finally for',
  'from function get global if implements import in infer instanceof interface intrinsic is keyof let meta module',
  'namespace never new null number object of out override package private protected public readonly require return',
  'satisfies set static string super switch symbol target this throw true try type typeof undefined unique unknown',
  'using var void while with yield',
);

const pythonWords = wordSet(
  'False None True and as assert async await break case cls class continue def del elif else except finally for from',
  'global if import in is lambda match nonlocal not or pass raise return self super try type while with yield',
);

function wordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

function* renamesOf({ renames }: SourceFacts, name: number): Iterable<number> {
  for (let at = 0; at < renames.length; at += 2) {
    const to = renames[at + 1];
    if (renames[at] === name && to !== undefined) yield to;
  }
}

function listed(paths: Iterable<WorkspacePath>, hashOf: (path: WorkspacePath) => string | undefined): string {
  return [...paths]
    .sort(comparePaths)
    .map((path) => `${path}\0${hashOf(path)}`)
    .join('\n');
}

function sameKeys<K>(a: ReadonlyMap<K, unknown>, b: ReadonlyMap<K, unknown>): boolean {
  return a.size === b.size && [...a.keys()].every((key) => b.has(key));
}

function sameEntries<K, V>(a: ReadonlyMap<K, V>, b: ReadonlyMap<K, V>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
