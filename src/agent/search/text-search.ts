/**
 * Searches the files of a workspace in an overlay.
 *
 * Invariant: files are ordered by path, matches by line; a line counts once however often it matches. Lines end with
 * `\n`, and a preceding `\r` is not part of the line.
 */
import type { FileSource } from '../../workspace/file-source.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { BadCall } from '../failure.ts';
import { BoundedRun } from './bounded-run.ts';
import type { SearchExpressions, SearchPattern } from './search-pattern.ts';

export interface FileMatches {
  readonly path: WorkspacePath;
  readonly text: string;
  /** Zero-based, ascending. */
  readonly matching: readonly number[];
}

export interface TextSearch {
  readonly pattern: SearchPattern;
  /** `lines`: a match never crosses a line end. `text`: it may, and a dot matches line ends. */
  readonly unit: 'lines' | 'text';
}

const batchSize = 64;
const batchMs = 5000;

export async function* searchFiles(
  files: FileSource,
  paths: readonly WorkspacePath[],
  search: TextSearch,
  signal: AbortSignal,
): AsyncGenerator<FileMatches> {
  const bounded = new BoundedRun();
  for (let start = 0; start < paths.length; start += batchSize) {
    signal.throwIfAborted();
    const texts = await readTexts(files, paths.slice(start, start + batchSize));
    const found = bounded.within(batchMs, () => texts.flatMap((file) => matchesIn(file, search)));
    if (found === undefined) {
      throw new BadCall('the pattern takes too long to match', 'Simplify it; avoid nested repetitions.');
    }
    yield* found.value;
  }
}

interface TextFile {
  readonly path: WorkspacePath;
  readonly text: string;
}

async function readTexts(files: FileSource, paths: readonly WorkspacePath[]): Promise<readonly TextFile[]> {
  const texts: TextFile[] = [];
  for (const path of paths) {
    const content = await files.read(path);
    if (content?.kind === 'text') texts.push({ path, text: content.text });
  }
  return texts;
}

function matchesIn({ path, text }: TextFile, { pattern, unit }: TextSearch): readonly FileMatches[] {
  const expressions = pattern.for(text);
  const matching =
    unit === 'text'
      ? linesOfMatches(text, expressions.text)
      : pattern.isLocal
        ? matchingLines(text, expressions)
        : linesOf(text).flatMap((content, line) => (expressions.line.test(content) ? [line] : []));
  return matching.length === 0 ? [] : [{ path, text, matching }];
}

/** Matches only those lines alone in which a match begins, which avoids splitting the whole text into lines. */
function matchingLines(text: string, { line: alone, text: within }: SearchExpressions): readonly number[] {
  const matching: number[] = [];
  let line = 0;
  let counted = 0;
  within.lastIndex = 0;
  for (let match = within.exec(text); match; match = within.exec(text)) {
    if (isPastLastLine(text, match.index)) break;
    line += newlines(text, counted, match.index);
    counted = match.index;
    const start = text.lastIndexOf('\n', match.index - 1) + 1;
    const newline = text.indexOf('\n', match.index);
    const end = newline < 0 ? text.length : newline;
    if (alone.test(withoutReturn(text.slice(match.index === 0 ? 0 : start, end)))) matching.push(line);
    if (newline < 0) break;
    within.lastIndex = newline + 1;
  }
  return matching;
}

/** Every line that a match touches. */
function linesOfMatches(text: string, expression: RegExp): readonly number[] {
  const matching: number[] = [];
  let line = 0;
  let counted = 0;
  for (const match of text.matchAll(expression)) {
    if (isPastLastLine(text, match.index)) break;
    const end = match.index + Math.max(match[0].length - (match[0].endsWith('\n') ? 1 : 0), 0);
    line += newlines(text, counted, match.index);
    counted = match.index;
    const last = line + newlines(text, match.index, end);
    for (let each = line; each <= last; each += 1) if (matching.at(-1) !== each) matching.push(each);
  }
  return [...new Set(matching)].sort((a, b) => a - b);
}

/** An empty match can lie after the last line end, where there is no line. */
function isPastLastLine(text: string, index: number): boolean {
  return index === text.length && (text === '' || text.endsWith('\n'));
}

function newlines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The empty text after the last line end is not a line. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return text.includes('\r') ? lines.map(withoutReturn) : lines;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
