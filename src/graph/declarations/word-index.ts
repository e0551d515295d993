/**
 * Which files may import a name from another module, by their words alone.
 *
 * Parsing a workspace takes seconds, and reading its words a tenth of that: only files that can matter are parsed.
 *
 * Invariant: a file that imports a name from a module is among `filesNaming` of that name.
 */
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { suffixOf } from '../reach/reach-family.ts';
import { writesEscaped } from './file-reference.ts';
import { implicitJsxNames } from './module-facts.ts';

export class WordIndex {
  readonly #traits = new Map<WorkspacePath, FileTraits>();
  readonly #byWord = new Map<string, Set<WorkspacePath>>();
  /** The files of each kind, until a file changes: a search asks for them hundreds of times. */
  #ofKind: FilesOfKind | undefined;

  get files(): Iterable<WorkspacePath> {
    return this.#traits.keys();
  }

  has(path: WorkspacePath): boolean {
    return this.#traits.has(path);
  }

  update(path: WorkspacePath, text: string | undefined): void {
    for (const word of this.#traits.get(path)?.words ?? []) this.#byWord.get(word)?.delete(path);
    this.#traits.delete(path);
    this.#ofKind = undefined;
    if (text === undefined) return;
    const traits = traitsOf(path, text);
    this.#traits.set(path, traits);
    for (const word of traits.words) {
      const files = this.#byWord.get(word);
      if (files) files.add(path);
      else this.#byWord.set(word, new Set([path]));
    }
  }

  /** Every file that may import `name` from another module. */
  filesNaming(name: string): ReadonlySet<WorkspacePath> {
    if (!isWord(name)) return new Set(this.#traits.keys());
    const files = new Set(this.#byWord.get(name));
    const { takingAll, takingDefault, withJsx } = this.#kinds;
    for (const path of takingAll) files.add(path);
    if (name === 'default') for (const path of takingDefault) files.add(path);
    if (implicitJsxNames.includes(name)) for (const path of withJsx) files.add(path);
    return files;
  }

  /** Every file whose text holds all words of a name, or may hide them by escapes. */
  filesHolding(name: string): Iterable<WorkspacePath> {
    const [first, ...others] = [...new Set(name.match(wordPattern))].map((word) => this.#byWord.get(word));
    if (name.match(wordPattern) === null) return this.#traits.keys();
    const found = new Set([...(first ?? [])].filter((path) => others.every((files) => files?.has(path))));
    for (const [path, { writesEscaped: isHidden }] of this.#traits) if (isHidden) found.add(path);
    return found;
  }

  /** Every file that may use a whole module. */
  filesTakingAll(): readonly WorkspacePath[] {
    return this.#kinds.takingAll;
  }

  /** Every file that may import a default. */
  filesTakingDefault(): readonly WorkspacePath[] {
    return this.#kinds.takingDefault;
  }

  /** The bare specifiers of a file as one text. */
  specifiersOf(path: WorkspacePath): string | undefined {
    return this.#traits.get(path)?.bareSpecifiers.join('\n');
  }

  /** The files with the bare specifiers that each may import from. */
  get bareSpecifiers(): Iterable<readonly [WorkspacePath, readonly string[]]> {
    return [...this.#traits].map(([path, { bareSpecifiers }]) => [path, bareSpecifiers]);
  }

  /** Every file that may re-export the names of another module without naming them. */
  filesPassingOn(): readonly WorkspacePath[] {
    return this.#kinds.passingOn;
  }

  get #kinds(): FilesOfKind {
    this.#ofKind ??= filesOfKind(this.#traits);
    return this.#ofKind;
  }
}

interface FilesOfKind {
  readonly takingAll: readonly WorkspacePath[];
  readonly takingDefault: readonly WorkspacePath[];
  readonly passingOn: readonly WorkspacePath[];
  readonly withJsx: readonly WorkspacePath[];
}

function filesOfKind(files: ReadonlyMap<WorkspacePath, FileTraits>): FilesOfKind {
  const those = (is: (traits: FileTraits, path: WorkspacePath) => boolean): readonly WorkspacePath[] =>
    [...files].flatMap(([path, traits]) => (is(traits, path) ? [path] : []));
  return {
    takingAll: those(({ takesAll }) => takesAll),
    takingDefault: those(({ takesDefault }) => takesDefault),
    passingOn: those(({ passesOn }) => passesOn),
    withJsx: those((_, path) => mayHoldJsx(path)),
  };
}

interface FileTraits {
  readonly words: readonly string[];
  /** Whether it may use a whole module. */
  readonly takesAll: boolean;
  readonly takesDefault: boolean;
  readonly passesOn: boolean;
  readonly bareSpecifiers: readonly string[];
  readonly writesEscaped: boolean;
}

function traitsOf(path: WorkspacePath, text: string): FileTraits {
  return {
    words: [...new Set(text.match(wordPattern))],
    takesAll: isJavaScript.test(path) || mayTakeAll(text),
    takesDefault: /\bimport\s+(?!type\s*\{)[\w$\u0080-\uffff]/.test(text) || /\bdefault\b/.test(text),
    passesOn: /\bexport\s*(?:type\s*)?[*/]/.test(text),
    bareSpecifiers: bareSpecifiersIn(text),
    writesEscaped: writesEscaped(text),
  };
}

/** The bare specifiers that a text may import from. */
export function bareSpecifiersIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(bareSpecifierPattern)].map(([, name = '']) => name))];
}

/** A string after a word that introduces a specifier. */
const bareSpecifierPattern =
  /\b(?:from|import|import\s*\(|require\s*\()\s*(?:\/\*[^*]*\*\/\s*)?['"`]([@\w~][^'"`\s\\]*)['"`]/g;

/**
 * Whether a module may be used without its names being in the text: `import()`, `require`, a namespace used as a
 * value, a name written with escapes, or a comment that hides one of these.
 */
function mayTakeAll(text: string): boolean {
  if (/\bimport\b(?!\.meta\b)(?!\s*[\w$\u0080-\uffff{*'"])/.test(text)) return true;
  if (/\brequire\s*\(|\\u/.test(text)) return true;
  const namespaces = [...text.matchAll(/\bimport\s+(?:type\s+)?\*\s*as\s+([\w$\u0080-\uffff]+)/g)];
  if (/\*\s*\/[*/]/.test(text) || (text.match(/\*\s*as\b/g)?.length ?? 0) > namespaces.length) return true;
  return namespaces.some(([, name = '']) => isUsedWhole(name, text));
}

/** Whether a namespace occurs other than in its import and before a plain member. */
function isUsedWhole(name: string, text: string): boolean {
  const quoted = name.replaceAll('$', '\\$');
  const whole = new RegExp(`(?<![\\w$])${quoted}(?![\\w$])(?!\\s*\\??\\.\\s*[\\w$\\u0080-\\uffff])`, 'g');
  return (text.match(whole)?.length ?? 0) > 1;
}

function mayHoldJsx(path: WorkspacePath): boolean {
  const extension = suffixOf(path);
  return extension.endsWith('x') || isJavaScript.test(path);
}

function isWord(name: string): boolean {
  return name.match(wordPattern)?.[0] === name;
}

const wordPattern = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/g;
const isJavaScript = /\.[mc]?jsx?$/i;
