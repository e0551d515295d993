/**
 * The compiler flags of the translation units of a C or C++ workspace, as far as they are known.
 *
 * Invariant: the flags of a unit count as known only if a database lists it or flags are given for its directory; for
 * any other the server guesses, and its diagnostics, or their absence, prove nothing.
 */
import { basename, dirname, extname, join, resolve } from 'node:path';
import { textAt } from '../../workspace/text-at.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { type OverlayEffect, textUnder } from '../projection.ts';

/** How the flags of a file are known. */
export type KnownFlags = 'listed' | 'given' | 'unlisted' | 'none';

/** The text of a file as the server sees it; undefined if there is none. */
export type ReadText = (file: string) => string | undefined;

/** Finds the flags of units by the files the server would look for. Each is read once. */
export class CompilationFlags {
  readonly #read: ReadText;
  readonly #places = new Map<string, Place>();

  constructor(readText: ReadText) {
    this.#read = readText;
  }

  /** How the flags of the unit at this absolute path are known. */
  of(file: string): KnownFlags {
    for (let directory = dirname(file); ; directory = dirname(directory)) {
      const { units, isGiven } = this.#place(directory);
      if (units) return units.has(resolve(file)) ? 'listed' : 'unlisted';
      if (isGiven) return 'given';
      if (directory === dirname(directory)) return 'none';
    }
  }

  isKnown(file: string): boolean {
    return ['listed', 'given'].includes(this.of(file));
  }

  #place(directory: string): Place {
    const known = this.#places.get(directory);
    if (known) return known;
    const place = this.#placeAt(directory);
    this.#places.set(directory, place);
    return place;
  }

  #placeAt(directory: string): Place {
    const read = (name: string): string | undefined => this.#read(join(directory, name));
    if (/\bCompileFlags:|\bCompilationDatabase:/.test(read('.clangd') ?? '')) return { isGiven: true };
    const database = read('compile_commands.json') ?? read(join('build', 'compile_commands.json'));
    if (database !== undefined) return { units: unitsIn(database), isGiven: false };
    return { isGiven: read('compile_flags.txt') !== undefined };
  }
}

interface Place {
  /** The units that the database in this directory lists; absent if there is none. */
  readonly units?: ReadonlySet<string>;
  /** Whether flags are given for everything below. */
  readonly isGiven: boolean;
}

/** Whether the file is compiled by itself; others are compiled as part of the units that include them. */
export function isUnit(path: string): boolean {
  return unitExtensions.has(extname(path).toLowerCase());
}

/** What is not known about the compilation of these files, in sentences. `units` are all that the change can affect. */
export function compilationDoubts(
  { touched, units }: { readonly touched: readonly string[]; readonly units: readonly string[] },
  readText: ReadText,
): readonly string[] {
  const flags = new CompilationFlags(readText);
  const isKnown = (unit: string): boolean => flags.isKnown(unit);
  const doubts: string[] = [];
  const without = touched.filter((file) => flags.of(file) === 'none');
  if (without.length > 0) {
    doubts.push(
      `No compilation database tells how ${names(without)} is compiled. Write compile_commands.json: cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- make.`,
    );
  }
  const known = touched.filter((file) => !without.includes(file));
  const unlisted = known.filter((file) => isUnit(file) && !isKnown(file));
  if (unlisted.length > 0) {
    doubts.push(
      `The compilation database does not list ${names(unlisted)}, so the flags were guessed. Run the build's configuration again.`,
    );
  }
  const included = units.some((unit) => isUnit(unit) && isKnown(unit));
  const alone = known.filter((file) => !isUnit(file));
  if (alone.length > 0 && !included) {
    doubts.push(
      `No unit of the compilation database includes ${names(alone)}, so no compiler would read it.`,
    );
  }
  return doubts;
}

/** Reads the disk with an effect applied. */
export function shownTextReader(shown: OverlayEffect, absolute: (path: WorkspacePath) => string): ReadText {
  const laid = new Map([...shown].map(([path, content]) => [absolute(path), content]));
  return (file) => textUnder(laid, file, textAt);
}

/** The absolute paths of the units a database lists; none if it cannot be parsed. */
function unitsIn(database: string): ReadonlySet<string> {
  try {
    const entries: unknown = JSON.parse(database);
    if (!Array.isArray(entries)) return new Set();
    return new Set(
      entries.flatMap(({ directory, file }) =>
        typeof file === 'string' ? [resolve(typeof directory === 'string' ? directory : '/', file)] : [],
      ),
    );
  } catch {
    return new Set();
  }
}

function names(files: readonly string[]): string {
  const shown = files.slice(0, 3).map((file) => basename(file));
  return files.length > shown.length
    ? `${shown.join(', ')} and ${files.length - shown.length} more`
    : shown.join(', ');
}

const unitExtensions: ReadonlySet<string> = new Set([
  '.c',
  '.cc',
  '.cpp',
  '.cxx',
  '.c++',
  '.m',
  '.mm',
  '.cu',
  '.cppm',
  '.ixx',
]);
