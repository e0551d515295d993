import type { Hunk, HunkLine } from '../hunk.ts';
import { MalformedPatch } from '../malformed-patch.ts';

/**
 * Reading a patch line by line, and the hunks in it.
 *
 * Invariant: a hunk is read by the counts in its header, never by what its lines look like, so a removed
 * `-- ` or an added `++ b/x` cannot be taken for anything else.
 */

/** The lines of a patch and the place reached in them. */
export class PatchLines {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(text: string) {
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    this.#lines = lines;
  }

  get isDone(): boolean {
    return this.#at >= this.#lines.length;
  }

  /** The number of the current line, counted from 1. */
  get number(): number {
    return this.#at + 1;
  }

  /** The line `ahead` of the current one as it stands, without its `\n`. */
  raw(ahead = 0): string | undefined {
    return this.#lines[this.#at + ahead];
  }

  /** The line as a header: mail may have put a `\r` behind it. */
  header(ahead = 0): string {
    const line = this.raw(ahead) ?? '';
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }

  advance(count = 1): void {
    this.#at += count;
  }
}

/** All hunks from the current line on; with `lineEnds` `crlf` the patch was sent through something that added `\r`. */
export function readHunks(lines: PatchLines, lineEnds: 'lf' | 'crlf'): Hunk[] {
  const hunks: Hunk[] = [];
  while (lines.header().startsWith('@@')) hunks.push(readHunk(lines, lineEnds));
  const next = lines.header();
  if (hunks.length > 0 && /^(?:[ +]|-(?!- ?$|-- ))/.test(next)) {
    throw new MalformedPatch(lines.number, 'the hunk goes on after the lines its header announces', RECOUNT);
  }
  return hunks;
}

const RECOUNT =
  'Count the lines of the hunk again: after @@ stand the old start and count, then the new start and count; context lines belong to both.';

function readHunk(lines: PatchLines, lineEnds: 'lf' | 'crlf'): Hunk {
  const at = lines.number;
  const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(?: (.*))?/s.exec(lines.header());
  if (!header) throw new MalformedPatch(at, `"${lines.header()}" is not a hunk header`, RECOUNT);
  const [, oldStart, oldCount = '1', newStart, newCount = '1', section] = header;
  lines.advance();
  const hunk = {
    oldStart: Number(oldStart),
    oldCount: Number(oldCount),
    newStart: Number(newStart),
    newCount: Number(newCount),
    lines: readHunkLines(lines, { old: Number(oldCount), added: Number(newCount) }, lineEnds),
  };
  return section ? { ...hunk, section } : hunk;
}

function readHunkLines(
  lines: PatchLines,
  left: { old: number; added: number },
  lineEnds: 'lf' | 'crlf',
): HunkLine[] {
  const read: HunkLine[] = [];
  while (left.old > 0 || left.added > 0) {
    const line = readHunkLine(lines, lineEnds);
    if (line.kind !== 'added') left.old -= 1;
    if (line.kind !== 'removed') left.added -= 1;
    if (left.old < 0 || left.added < 0) {
      throw new MalformedPatch(
        lines.number - 1,
        'the hunk has more lines than its header announces',
        RECOUNT,
      );
    }
    read.push(line);
  }
  if (lines.header().startsWith('\\')) {
    throw new MalformedPatch(lines.number, 'nothing stands before this line that could lack its newline');
  }
  return read;
}

function readHunkLine(lines: PatchLines, lineEnds: 'lf' | 'crlf'): HunkLine {
  const line = lineEnds === 'crlf' ? lines.header() : lines.raw();
  if (line === undefined || lines.isDone) {
    throw new MalformedPatch(lines.number, 'the patch ends before the hunk does', RECOUNT);
  }
  // Editors strip trailing blanks: an empty line is an empty context line.
  const kind = line === '' || line === '\r' ? 'context' : KINDS.get(line.charAt(0));
  if (kind === undefined) {
    throw new MalformedPatch(lines.number, `"${line}" is no line of a hunk`, RECOUNT);
  }
  const text = line === '\r' ? line : line.slice(1);
  lines.advance();
  if (!lines.header().startsWith('\\ ')) return { kind, text: `${text}\n` };
  lines.advance();
  return { kind, text };
}

const KINDS: ReadonlyMap<string, HunkLine['kind']> = new Map([
  [' ', 'context'],
  ['-', 'removed'],
  ['+', 'added'],
]);
