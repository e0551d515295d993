/**
 * Expands file name patterns like bash, on the files that a command will see.
 *
 * Invariant: a word never starts with a dash unless its pattern does, names that start with a dot are matched only by
 * a pattern that does, and a pattern without a match stays unchanged.
 */
import { resolve } from 'node:path';
import { boundary, type ShellBoundary } from '../../shell/boundary.ts';
import type { ShellWord, WordPiece } from '../../shell/syntax/shell-list.ts';
import { comparePaths } from '../../workspace/workspace-path.ts';
import type { MergedView } from './merged-view.ts';

/** The words that a word expands to. */
export async function expandWord(
  word: ShellWord,
  { view, cwd }: { readonly view: MergedView; readonly cwd: string },
): Promise<readonly ShellWord[] | ShellBoundary> {
  if (word.pattern === undefined) return [word];
  const matches = await matchSegments(splitSegments(word.pattern), { view, cwd });
  if (matches.length === 0) return [{ ...word, pattern: undefined }];
  const option = matches.find((match) => match.startsWith('-'));
  if (option !== undefined) return boundary('glob', word.at, `a file is named like an option: ${option}`);
  if (matches.length > maxMatches) return boundary('glob', word.at, `more than ${maxMatches} files match`);
  return matches.map((text) => ({ ...word, text, pattern: undefined }));
}

/** More words than this are not an intended argument list. */
const maxMatches = 5000;

/** The part between two slashes: a literal name, or an expression for names. */
type Segment = { readonly name: string } | { readonly expression: RegExp; readonly showsHidden: boolean };

function splitSegments(pattern: readonly WordPiece[]): readonly Segment[] {
  const segments: WordPiece[][] = [[]];
  for (const piece of pattern) {
    if (!('literal' in piece)) {
      segments.at(-1)?.push(piece);
      continue;
    }
    for (const [index, literal] of piece.literal.split('/').entries()) {
      if (index > 0) segments.push([]);
      if (literal !== '') segments.at(-1)?.push({ literal });
    }
  }
  return segments.map(toSegment);
}

function toSegment(pieces: readonly WordPiece[]): Segment {
  const first = pieces[0];
  if (pieces.every((piece) => 'literal' in piece)) {
    return { name: pieces.map((piece) => ('literal' in piece ? piece.literal : '')).join('') };
  }
  const showsHidden = first !== undefined && 'literal' in first && first.literal.startsWith('.');
  return { expression: patternExpression(pieces), showsHidden };
}

/** The texts that match a pattern as a whole. */
export function patternExpression(pieces: readonly WordPiece[]): RegExp {
  const source = pieces.map((piece) => {
    if ('literal' in piece) return piece.literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    if ('bracket' in piece) return bracketSource(piece.bracket);
    return piece.wildcard === '*' ? '.*' : '.';
  });
  return new RegExp(`^${source.join('')}$`, 'su');
}

const classes: Readonly<Record<string, string>> = {
  '[:alpha:]': '\\p{L}',
  '[:digit:]': '0-9',
  '[:alnum:]': '\\p{L}\\p{N}',
  '[:upper:]': '\\p{Lu}',
  '[:lower:]': '\\p{Ll}',
  '[:space:]': '\\s',
};

/** A bracket expression as part of a regular expression. */
function bracketSource(bracket: string): string {
  const [, negation, members = ''] = /^\[([!^]?)(.*)\]$/s.exec(bracket) ?? [];
  const source = members.replace(/\[:[a-z]+:\]|[\\\]^[]/g, (found) => classes[found] ?? `\\${found}`);
  return `[${negation ? '^' : ''}${source}]`;
}

interface Place {
  readonly view: MergedView;
  readonly cwd: string;
}

async function matchSegments(segments: readonly Segment[], place: Place): Promise<readonly string[]> {
  let found: readonly string[] = [''];
  for (const [index, segment] of segments.entries()) {
    const before = index === 0 ? '' : '/';
    const next: string[] = [];
    for (const prefix of found) {
      for (const name of await matchNames(prefix + before, segment, place)) next.push(prefix + before + name);
      if (next.length > maxMatches) return next;
    }
    found = next;
  }
  return found;
}

/** The names in `directory`, spelled as in the word, that match a segment. */
async function matchNames(
  directory: string,
  segment: Segment,
  { view, cwd }: Place,
): Promise<readonly string[]> {
  const absolute = resolve(cwd, directory);
  if ('name' in segment) {
    const { name } = segment;
    if (name === '' && directory === '') return [''];
    if (name === '' || name === '.' || name === '..') return (await view.isDirectory(absolute)) ? [name] : [];
    return (await view.list(absolute)).some((entry) => entry.name === name) ? [name] : [];
  }
  const names = (await view.list(absolute)).map((entry) => entry.name);
  return names
    .filter((name) => (segment.showsHidden || !name.startsWith('.')) && segment.expression.test(name))
    .sort(comparePaths);
}
