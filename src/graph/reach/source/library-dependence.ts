/**
 * The names in Python files whose types may depend on a library that is not installed.
 *
 * The type of a name follows from its declarations, and those from the names they mention. So names are followed from the
 * import of the library to the declarations that mention it, to those that mention these, through all files. A name is a
 * word: two things with the same name are not told apart.
 *
 * Invariant: in doubt a name is included, or there is no answer. A file that mentions none of the names is checked alike
 * whether or not the library is installed.
 */
import { blocksOf, type PythonBlock, wordsIn } from './python-block.ts';
import { attributeTargets, pythonImports, pythonNames } from './python-declaration.ts';
import { type LogicalLine, pythonLines } from './python-lines.ts';

export interface ImportingFile {
  readonly text: string;
  /** The modules it imports that are not installed. */
  readonly missing: readonly string[];
}

/** The names, or undefined if any name may depend on the libraries. */
export function dependentNames(files: readonly ImportingFile[]): ReadonlySet<string> | undefined {
  const parsed = files.map(({ text, missing }) => {
    const lines = pythonLines(text);
    const isFound = lines !== undefined && missing.every((module) => isImportedIn(lines, module));
    return { blocks: isFound ? blocksOf(lines) : undefined, missing };
  });
  const names = new DependentNames();
  let size = -1;
  while (size !== names.found.size) {
    size = names.found.size;
    for (const { blocks, missing } of parsed) {
      if (blocks === undefined || !names.follow(blocks, missing)) return undefined;
    }
  }
  return names.found;
}

/** Whether the code of a text mentions one of the names; a text that cannot be read may. */
export function mentionsAny(text: string, names: ReadonlySet<string>): boolean {
  const lines = pythonLines(text);
  if (lines === undefined) return true;
  return lines.some(({ code }) => !isString(code) && wordsIn(code).some((word) => names.has(word)));
}

function isImportedIn(lines: readonly LogicalLine[], module: string): boolean {
  return lines.some(({ code }) => pythonImports(code).some((each) => isPartOf(each.module, module)));
}

function isPartOf(module: string, missing: string): boolean {
  return module === missing || module.startsWith(`${missing}.`);
}

/** Where a declaration stands. */
interface Place {
  /** The class whose member it is. */
  readonly owner?: PythonBlock;
  /** Whether a condition around it depends on the library. */
  readonly isDoubtful: boolean;
}

class Undecidable extends Error {}

class DependentNames {
  readonly found = new Set<string>();
  /** Those bound by importing a missing library. */
  readonly #imported = new Set<string>();

  /** Adds the names that a file declares; whether the answer is still certain. */
  follow(blocks: readonly PythonBlock[], missing: readonly string[]): boolean {
    try {
      this.#scope(blocks, { isDoubtful: false }, missing);
      return true;
    } catch (thrown) {
      if (thrown instanceof Undecidable) return false;
      throw thrown;
    }
  }

  #scope(blocks: readonly PythonBlock[], place: Place, missing: readonly string[]): void {
    /** Whether a decorator above depends on the library, or a branch before in the same chain. */
    let isFollowing = false;
    for (const block of blocks) {
      const { kind } = block;
      const isLinked =
        kind === 'continuation' || kind === 'function' || kind === 'class' || kind === 'decorator';
      const here = { ...place, isDoubtful: place.isDoubtful || (isLinked && isFollowing) };
      const leadsOn = kind === 'condition' || kind === 'continuation' || kind === 'decorator';
      isFollowing = leadsOn && ((isLinked && isFollowing) || this.#mentionsIn(block.code));
      if (kind === 'condition' || kind === 'continuation') {
        this.#branch(block, { ...here, isDoubtful: here.isDoubtful || isFollowing }, missing);
      } else this.#declaration(block, here, missing);
    }
  }

  /** What follows the colon on the same line is part of the line. */
  #branch(block: PythonBlock, place: Place, missing: readonly string[]): void {
    const { code, children } = block;
    if (this.#mentionsIn(code) || (place.isDoubtful && children.length === 0))
      this.#addAll(wordsIn(code), place);
    this.#scope(children, place, missing);
  }

  #declaration(block: PythonBlock, place: Place, missing: readonly string[]): void {
    const { kind } = block;
    if (kind === 'function') this.#function(block, place, missing);
    else if (kind === 'class') this.#class(block, place, missing);
    else if (kind === 'import') this.#import(block, place, missing);
    else if (kind === 'statement') this.#statement(block, place);
  }

  #statement(block: PythonBlock, place: Place): void {
    const { code } = block;
    if (isString(code) || !(place.isDoubtful || this.#mentionsIn(code))) return;
    const declared = pythonNames(code);
    this.#addAll(declared, place);
    // A call that never returns would end the module here.
    const [root] = wordsIn(code);
    if (declared.length === 0 && root !== undefined && this.#imported.has(root)) throw new Undecidable();
  }

  #function(block: PythonBlock, place: Place, missing: readonly string[]): void {
    const { name = '', code, lines } = block;
    const isDeclared = place.isDoubtful || this.#mentionsIn(code);
    const isUsed = isDeclared || lines.some((line) => this.#mentionsIn(line) || importsOneOf(missing, line));
    if (isDeclared || (isUsed && !hasAnnotatedResult(code))) {
      if (name === '__getattr__' && place.owner === undefined) throw new Undecidable();
      this.#addMembers([name], place);
    }
    if (isUsed) this.#addMembers(lines.flatMap(attributeTargets), place);
  }

  #class(block: PythonBlock, place: Place, missing: readonly string[]): void {
    const { name = '', code, children } = block;
    if (place.isDoubtful || this.#mentionsIn(code)) this.#addAll([name], place);
    this.#scope(children, { owner: block, isDoubtful: place.isDoubtful }, missing);
    // A class that counts because of a member concerns the class around it too.
    if (this.found.has(name)) this.#addAll([name], place);
  }

  #import({ code }: PythonBlock, place: Place, missing: readonly string[]): void {
    for (const { module, name, binds } of pythonImports(code)) {
      const isMissing = missing.some((each) => isPartOf(module, each));
      if (binds === '*') {
        if (isMissing) throw new Undecidable();
        continue;
      }
      if (isMissing) this.#imported.add(binds);
      const isFound = name === undefined ? this.#mentionsIn(module) : this.found.has(name);
      if (isMissing || isFound || place.isDoubtful) this.#addAll([binds], place);
    }
  }

  /** A class has the fields that its own lines declare, whatever their names. */
  #addAll(names: readonly string[], { owner }: Place): void {
    for (const name of names) this.found.add(name);
    if (names.length > 0 && owner?.name !== undefined) this.found.add(owner.name);
  }

  /**
   * A method, or an attribute that a method assigns, may be used without being named, as by a protocol; so its class counts with
   * it. That does not happen to private ones.
   */
  #addMembers(names: readonly string[], place: Place): void {
    const { owner } = place;
    const mayMatch = owner !== undefined && /\bProtocol\b|\[/.test(owner.code);
    this.#addAll(
      names.filter((name) => mayMatch || !isPrivate(name)),
      place,
    );
    for (const name of names) this.found.add(name);
  }

  #mentionsIn(code: string): boolean {
    return wordsIn(code).some((word) => this.found.has(word));
  }
}

function importsOneOf(missing: readonly string[], line: string): boolean {
  return pythonImports(line).some(({ module }) => missing.some((each) => isPartOf(module, each)));
}

function isPrivate(name: string): boolean {
  return name.startsWith('_') && !name.endsWith('__');
}

/** As for the surface of a file: with a directive in the line it counts as inferred. */
function hasAnnotatedResult(code: string): boolean {
  return /->.*:$/s.test(code) && !code.includes('#');
}

/** Whether a line is one string, as documentation is. */
function isString(code: string): boolean {
  return /^[rbu]{0,2}(?:"""(?:(?!""").)*"""|'''(?:(?!''').)*'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')$/is.test(
    code,
  );
}
