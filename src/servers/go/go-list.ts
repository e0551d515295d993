/**
 * Parses the output of `go list -e -export -test -json`: every package with its files and its compiler errors.
 *
 * Invariants: a file counts as checked only if a package that contains it was compiled, or if it is the file that
 * prevented the compilation. Errors that stopped the compiler have the source `syntax` or `go list`, so that errors
 * it did not reach are not taken for resolved ones.
 */
import { isAbsolute, join, relative, sep } from 'node:path';
import type { Diagnostic } from '../../lsp/diagnostic.ts';
import { type LostPackage, lostPackageIn } from './lost-import.ts';

/** A problem at a compiler position: from one, columns in bytes. */
export interface GoProblem {
  /** Relative to the workspace. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly source: 'compiler' | 'syntax' | 'go list';
}

/** The state of a file: compiled, not reached, or excluded by its name or its build constraints. */
export type GoFileState =
  | { readonly kind: 'checked' }
  | { readonly kind: 'unchecked'; readonly why: string }
  | { readonly kind: 'left-out' };

export interface GoListing {
  readonly problems: readonly GoProblem[];
  readonly states: ReadonlyMap<string, GoFileState>;
  /** The files of each compiled `package main`, of which one must declare `main`; only the linker checks that. */
  readonly programs: readonly (readonly string[])[];
  readonly lost: readonly LostPackage[];
}

interface Place {
  /** The workspace's root, and the directory the command ran in. */
  readonly root: string;
  readonly cwd: string;
}

export function readGoList(output: string, place: Place): GoListing {
  const reader = new ListingReader(place);
  for (const found of packagesIn(output)) reader.read(found);
  return reader.listing();
}

class ListingReader {
  readonly #place: Place;
  readonly #problems = new Map<string, GoProblem>();
  readonly #states = new Map<string, GoFileState>();
  readonly #programs: (readonly string[])[] = [];
  readonly #lost: LostPackage[] = [];

  constructor(place: Place) {
    this.#place = place;
  }

  listing(): GoListing {
    return {
      problems: [...this.#problems.values()],
      states: this.#states,
      programs: this.#programs,
      lost: this.#lost,
    };
  }

  read(found: GoPackage): void {
    const files = [...(found.GoFiles ?? []), ...(found.CgoFiles ?? [])];
    // The program that runs the tests is generated. Tests that it cannot call are errors of their own files.
    if (files.some((file) => isAbsolute(file))) {
      this.#addProblems(positionsIn(found.Error?.Err ?? '', this.#place));
      return;
    }
    const { root, cwd } = this.#place;
    const inside = (file: string): string => pathInside(join(found.Dir ?? cwd, file), root);
    const errors = readErrors(found, this.#place);
    this.#addProblems(errors.own);
    this.#noteSources(found, [...files, ...(found.InvalidGoFiles ?? [])].map(inside), errors);
    for (const file of found.IgnoredGoFiles ?? []) note(this.#states, inside(file), { kind: 'left-out' });
    this.#lost.push(...lostPackages(found, files.map(inside), this.#place));
    const isCompiled = errors.why === undefined && errors.own.length === 0;
    const isProgram = found.Name === 'main' && found.ForTest === undefined && isCompiled;
    if (isProgram && files.length > 0) this.#programs.push(files.map(inside));
  }

  #addProblems(problems: Iterable<GoProblem>): void {
    for (const problem of problems) this.#problems.set(JSON.stringify(problem), problem);
  }

  /** Files with errors of their own were compiled, even if the rest of their package was not. */
  #noteSources(found: GoPackage, files: readonly string[], { own, why }: PackageErrors): void {
    const blamed = new Set(own.map(({ path }) => path));
    for (const file of files) {
      // A file that is no test is checked by its own package, not by the one compiled for the tests.
      const isOfOther = found.ForTest !== undefined && !file.endsWith('_test.go');
      if (isOfOther && this.#states.get(file)?.kind === 'checked') continue;
      const isChecked = why === undefined || blamed.has(file);
      note(this.#states, file, isChecked ? { kind: 'checked' } : { kind: 'unchecked', why });
    }
  }
}

/** A file may be in several packages. It is checked only if each of them was compiled. */
function note(states: Map<string, GoFileState>, file: string, state: GoFileState): void {
  const known = states.get(file);
  if (known === undefined || rank(state) > rank(known)) states.set(file, state);
}

function rank({ kind }: GoFileState): number {
  return ['left-out', 'checked', 'unchecked'].indexOf(kind);
}

interface GoPackage {
  readonly Dir?: string;
  readonly ImportPath?: string;
  readonly Name?: string;
  readonly ForTest?: string;
  readonly GoFiles?: readonly string[];
  readonly CgoFiles?: readonly string[];
  readonly IgnoredGoFiles?: readonly string[];
  readonly InvalidGoFiles?: readonly string[];
  readonly Error?: GoError | null;
  readonly DepsErrors?: readonly GoError[] | null;
}

interface GoError {
  readonly ImportStack?: readonly string[] | null;
  readonly Pos?: string;
  readonly Err?: string;
}

/** The problems in the package itself, and why not all of it was compiled. */
interface PackageErrors {
  readonly own: readonly GoProblem[];
  readonly why: string | undefined;
}

function readErrors(found: GoPackage, place: Place): PackageErrors {
  const { Error: error, DepsErrors: others = [] } = found;
  const own: GoProblem[] = [];
  let why: string | undefined;
  if (error && !isExclusion(error)) {
    const read = problemsOf(error, found, place);
    own.push(...read);
    const isCompiled = read.length > 0 && read.every(({ source }) => source === 'compiler');
    if (!isCompiled) why = firstLine(error.Err);
  }
  for (const other of others ?? []) {
    // An unresolved import is an error of the importing file; other errors are reported with their own package.
    const read = other.Pos ? problemsOf(other, found, place) : [];
    own.push(...read.filter(({ path }) => isIn(found, path, place)));
    why ??= firstLine(other.Err);
  }
  return { own, why };
}

/** What the package waits for, where the command names an importer outside the workspace. */
function lostPackages(
  { DepsErrors }: GoPackage,
  files: readonly string[],
  place: Place,
): readonly LostPackage[] {
  return (DepsErrors ?? []).flatMap(({ Pos, Err = '' }) => {
    const specifier = lostPackageIn(Err);
    const isOutside = Boolean(Pos) && positionsIn(`${Pos}: ${Err}`, place).length === 0;
    return specifier === undefined || !isOutside ? [] : [{ specifier, message: Err.trimEnd(), files }];
  });
}

function isIn({ Dir = '' }: GoPackage, path: string, { root }: Place): boolean {
  const directory = pathInside(Dir, root);
  return path.slice(0, Math.max(0, path.lastIndexOf('/'))) === directory;
}

function problemsOf(error: GoError, found: GoPackage, place: Place): readonly GoProblem[] {
  const message = (error.Err ?? '').trimEnd();
  const clash = clashIn(message, place);
  if (clash !== undefined) return [{ path: clash, line: 1, column: 1, message, source: 'go list' }];
  if (error.Pos) {
    const [at] = positionsIn(`${error.Pos}: ${message}`, place);
    return at ? [{ ...at, message, source: 'go list' }] : [];
  }
  const compiled = positionsIn(message, place);
  return compiled.length > 0 ? compiled : unplaced(error, found, place);
}

/** An error without a position, such as an import cycle, at the top of the file it names, or of the package. */
function unplaced(error: GoError, found: GoPackage, place: Place): readonly GoProblem[] {
  const message = (error.Err ?? '').trimEnd();
  const [first] = [...(found.GoFiles ?? []), ...(found.InvalidGoFiles ?? []), ...(found.CgoFiles ?? [])];
  if (first === undefined || message.startsWith('#')) return [];
  const cycle = (error.ImportStack ?? []).length > 1 ? `: ${error.ImportStack?.join(' imports ')}` : '';
  const [, named] = /^([^\s:/]+\.go): /.exec(message) ?? [];
  const path = pathInside(join(found.Dir ?? place.cwd, named ?? first), place.root);
  const text = `${firstLine(message)}${cycle}`.replace(' in test', '').replaceAll(/ \[[^\]]*\.test\]/g, '');
  return [{ path, line: 1, column: 1, message: text, source: 'go list' }];
}

/** The file whose package clause differs from the others of its directory; its position is that of some importer. */
function clashIn(message: string, { root }: Place): string | undefined {
  const [, file, directory] = /^found packages .+ and \S+ \(([^)]+\.go)\) in (.+)$/.exec(message) ?? [];
  if (file === undefined || directory === undefined) return undefined;
  const path = pathInside(join(directory, file), root);
  return path.startsWith('..') ? undefined : path;
}

/** The problems in lines of the form `file.go:3:8: message`; lines that start with a tab continue the one above. */
export function positionsIn(text: string, { root, cwd }: Place): readonly GoProblem[] {
  const problems: GoProblem[] = [];
  for (const line of text.split('\n')) {
    const match = /^(?:vet: )?(?:\.\/)?([^\s:][^:]*):(\d+)(?::(\d+))?: (.*)$/.exec(line);
    if (match) {
      const [, file = '', row = '1', column = '1', message = ''] = match;
      const path = pathInside(isAbsolute(file) ? file : join(cwd, file), root);
      const source = /^syntax error\b|^expected /.test(message) ? 'syntax' : 'compiler';
      problems.push({ path, line: Number(row), column: Number(column), message, source });
    } else if (line.startsWith('\t')) {
      const last = problems.pop();
      if (last) problems.push({ ...last, message: `${last.message}\n${line}` });
    }
  }
  return problems.filter(({ path }) => !path.startsWith('..'));
}

/** No file of the package belongs to this build, which is no error. */
function isExclusion({ Err = '' }: GoError): boolean {
  return (
    Err.includes('build constraints exclude all Go files') || /\bno (?:non-test )?Go files in\b/.test(Err)
  );
}

export function firstLine(text = ''): string {
  const lines = text.trim().split('\n');
  return (lines.find((line) => !line.startsWith('#')) ?? lines[0] ?? '').trim();
}

function pathInside(file: string, root: string): string {
  return relative(root, file).split(sep).join('/');
}

/** The command prints one indented object after another. */
function* packagesIn(output: string): Iterable<GoPackage> {
  for (const text of output.split(/^(?=\{$)/m)) {
    if (text.trim() !== '') yield JSON.parse(text);
  }
}

/** The diagnostic of a problem in `text`, the text of its line. */
export function diagnosticOf({ line, column, message, source }: GoProblem, text: string): Diagnostic {
  const start = Buffer.from(text)
    .subarray(0, column - 1)
    .toString('utf8').length;
  const word = /^\w+/.exec(text.slice(start))?.[0].length ?? 0;
  const at = (character: number) => ({ line: line - 1, character });
  return { range: { start: at(start), end: at(start + word) }, severity: 'error', message, source };
}
