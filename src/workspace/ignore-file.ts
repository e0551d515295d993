/**
 * A `.gitignore` or `.ignore` file, by git's rules.
 *
 * Invariants: the last line that matches a path decides; a path that no line matches is left to the next outer file.
 * A path is matched by itself, not by its directories: a walk does not enter ignored directories, and a caller that
 * names one wants its contents.
 */

export type EntryKind = 'file' | 'directory';

type Verdict = 'ignored' | 'kept';

export class IgnoreFile {
  readonly #prefix: string;
  readonly #lines: readonly IgnoreLine[];

  /** `directory` is the absolute path of the directory that contains the file. */
  constructor(directory: string, text: string) {
    this.#prefix = directory.endsWith('/') ? directory : `${directory}/`;
    this.#lines = text.split(/\r?\n/).flatMap(lineOf);
  }

  /** The verdict on an entry below the file's directory, by absolute path. */
  verdict(absolute: string, kind: EntryKind): Verdict | undefined {
    const path = absolute.slice(this.#prefix.length);
    const last = this.#lines.findLast(
      ({ pattern, onlyDirectories }) => (!onlyDirectories || kind === 'directory') && pattern.test(path),
    );
    return last?.verdict;
  }
}

/**
 * Whether an entry is ignored by the files that apply to its directory, innermost first: the first with a verdict
 * decides.
 */
export function isIgnoredBy(files: Iterable<IgnoreFile>, absolute: string, kind: EntryKind): boolean {
  for (const file of files) {
    const verdict = file.verdict(absolute, kind);
    if (verdict !== undefined) return verdict === 'ignored';
  }
  return false;
}

interface IgnoreLine {
  readonly pattern: RegExp;
  readonly verdict: Verdict;
  readonly onlyDirectories: boolean;
}

function lineOf(raw: string): readonly IgnoreLine[] {
  const line = raw.replace(/(?<!\\) +$/, '');
  if (line === '' || line.startsWith('#')) return [];
  const isNegated = line.startsWith('!');
  const glob = isNegated ? line.slice(1) : line;
  const bare = glob.replace(/\/+$/, '');
  if (bare === '') return [];
  // A slash anywhere but at the end anchors a pattern to the directory of its file.
  const pattern = bare.includes('/') ? bare.replace(/^\//, '') : `**/${bare}`;
  return [
    {
      pattern: new RegExp(`^${translated(pattern)}$`, 'su'),
      verdict: isNegated ? 'kept' : 'ignored',
      onlyDirectories: glob.endsWith('/'),
    },
  ];
}

function translated(pattern: string): string {
  const segments = pattern.split('/');
  return segments
    .map((segment, index) => {
      const isLast = index === segments.length - 1;
      if (segment === '**') return isLast ? '.+' : '(?:.*/)?';
      return `${segmentPattern(segment)}${isLast ? '' : '/'}`;
    })
    .join('');
}

function segmentPattern(segment: string): string {
  return segment.replace(
    /\\(.)|\[(!|\^)?((?:\\.|[^\]\\])[^\]]*)\]|\*+|\?|[^\\*?[]+|./gsu,
    (piece, escaped?: string, negation?: string, members?: string) => {
      if (escaped !== undefined) return literal(escaped);
      if (members !== undefined) return `[${negation ? '^/' : ''}${members.replace(/[[&~|]/g, '\\$&')}]`;
      if (piece.startsWith('*')) return '[^/]*';
      return piece === '?' ? '[^/]' : literal(piece);
    },
  );
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
