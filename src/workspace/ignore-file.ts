/**
 * A `.gitignore` or `.ignore` file, by git's rules.
 *
 * Invariant: of the lines that match a path the last one decides; what no line matches is left to whoever is asked next.
 */
import type { WorkspacePath } from './workspace-path.ts';

export type IgnoreVerdict = 'ignored' | 'kept' | undefined;

export class IgnoreFile {
  readonly #directory: WorkspacePath;
  readonly #lines: readonly IgnoreLine[];

  constructor(directory: WorkspacePath, text: string) {
    this.#directory = directory;
    this.#lines = text.split(/\r?\n/).flatMap(lineOf);
  }

  /** What it says of an entry below its own directory. */
  verdict(path: WorkspacePath, kind: 'file' | 'directory'): IgnoreVerdict {
    const relative = this.#directory === '' ? path : path.slice(this.#directory.length + 1);
    const last = this.#lines.findLast(
      ({ pattern, onlyDirectories }) => (!onlyDirectories || kind === 'directory') && pattern.test(relative),
    );
    return last?.verdict;
  }
}

interface IgnoreLine {
  readonly pattern: RegExp;
  readonly verdict: 'ignored' | 'kept';
  readonly onlyDirectories: boolean;
}

function lineOf(raw: string): readonly IgnoreLine[] {
  const line = raw.replace(/(?<!\\) +$/, '');
  if (line === '' || line.startsWith('#')) return [];
  const isNegated = line.startsWith('!');
  const glob = isNegated ? line.slice(1) : line;
  const bare = glob.replace(/\/+$/, '');
  if (bare === '') return [];
  // A slash anywhere but at the end ties a pattern to the directory of its file.
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
