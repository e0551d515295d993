/**
 * Patches whose hunks are found by their text, without line numbers: the format of the `apply_patch` tool of coding
 * agents.
 *
 *     *** Begin Patch
 *     *** Update File: src/app.ts
 *     *** Move to: src/main.ts
 *     @@ class App
 *     -  old line
 *     +  new line
 *     *** Add File: notes.md
 *     +text
 *     *** Delete File: old.ts
 *     *** End Patch
 *
 * Invariant: a hunk is applied at the first place after the one before it where its old lines stand, exactly or but for
 * white space; a hunk without such a place rejects the file.
 */
import { Failure } from '../base/failure.ts';

export type ContextPatch =
  | { readonly kind: 'add'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'update';
      readonly path: string;
      /** The new path, if the file moves. */
      readonly to?: string;
      readonly hunks: readonly ContextHunk[];
    };

export interface ContextHunk {
  /** A line that stands before the hunk, such as that of a function. */
  readonly after?: string;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** Whether the old lines are the last of the file. */
  readonly isAtEnd: boolean;
}

export class MalformedContextPatch extends Failure {
  readonly code = 'text/malformed-context-patch';
  readonly remedy = 'Send a patch between *** Begin Patch and *** End Patch.';
}

const section = /^\*\*\* (Add|Delete|Update) File: (.+)$/;

export function parseContextPatch(text: string): readonly ContextPatch[] {
  const lines = text.split(/\r?\n/);
  const begin = lines.findIndex((line) => line.trim() === '*** Begin Patch');
  const end = lines.findLastIndex((line) => line.trim() === '*** End Patch');
  if (begin < 0 || end < begin) throw new MalformedContextPatch('the patch has no beginning or no end');
  const body = lines.slice(begin + 1, end);
  const starts = body.flatMap((line, index) => (section.test(line) ? [index] : []));
  if (starts.length === 0) throw new MalformedContextPatch('the patch names no file');
  return starts.map((start, index) => parseSection(body.slice(start, starts[index + 1])));
}

function parseSection([head = '', ...lines]: readonly string[]): ContextPatch {
  const [, kind, path = ''] = section.exec(head) ?? [];
  if (kind === 'Delete') return { kind: 'delete', path: path.trim() };
  if (kind === 'Add') {
    const text = lines.filter((line) => line.startsWith('+')).map((line) => `${line.slice(1)}\n`);
    return { kind: 'add', path: path.trim(), text: text.join('') };
  }
  const to = /^\*\*\* Move to: (.+)$/.exec(lines[0] ?? '')?.[1]?.trim();
  const hunks = parseHunks(to === undefined ? lines : lines.slice(1));
  return { kind: 'update', path: path.trim(), ...(to !== undefined && { to }), hunks };
}

function parseHunks(lines: readonly string[]): readonly ContextHunk[] {
  const hunks: MutableHunk[] = [];
  for (const line of lines) {
    const last = hunks.at(-1);
    if (line.startsWith('@@')) {
      const after = line.slice(2).trim();
      hunks.push({ oldLines: [], newLines: [], isAtEnd: false, ...(after !== '' && { after }) });
    } else if (line.trim() === '*** End of File') {
      if (last) last.isAtEnd = true;
    } else addLine(last ?? opened(hunks), line);
  }
  return hunks.filter(({ oldLines, newLines, after }) => oldLines.length + newLines.length > 0 || after);
}

interface MutableHunk {
  readonly after?: string;
  readonly oldLines: string[];
  readonly newLines: string[];
  isAtEnd: boolean;
}

/** The first hunk may begin without a mark. */
function opened(hunks: MutableHunk[]): MutableHunk {
  const hunk = { oldLines: [], newLines: [], isAtEnd: false };
  hunks.push(hunk);
  return hunk;
}

function addLine({ oldLines, newLines }: MutableHunk, line: string): void {
  const text = line.slice(1);
  if (line.startsWith('+')) newLines.push(text);
  else if (line.startsWith('-')) oldLines.push(text);
  else {
    // An empty line of context may have lost its blank.
    oldLines.push(text);
    newLines.push(text);
  }
}

/** The text after the hunks; undefined if one of them has no place in it. */
export function applyContextHunks(text: string, hunks: readonly ContextHunk[]): string | undefined {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let from = 0;
  for (const { after, oldLines, newLines, isAtEnd } of hunks) {
    if (after !== undefined) {
      const found = place(lines, [after], { from, isAtEnd: false });
      if (found === undefined) return undefined;
      from = found + 1;
    }
    // Lines without any old text go to the end.
    const at = oldLines.length === 0 ? lines.length : place(lines, oldLines, { from, isAtEnd });
    if (at === undefined) return undefined;
    lines.splice(at, oldLines.length, ...newLines);
    from = at + newLines.length;
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

const likenesses: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
];

function place(
  lines: readonly string[],
  wanted: readonly string[],
  { from, isAtEnd }: { readonly from: number; readonly isAtEnd: boolean },
): number | undefined {
  const last = lines.length - wanted.length;
  for (const likeness of likenesses) {
    const wantedLines = wanted.map(likeness);
    const isAt = (at: number) =>
      wantedLines.every((line, index) => likeness(lines[at + index] ?? '') === line);
    if (isAtEnd && last >= from && isAt(last)) return last;
    for (let at = from; at <= last; at++) if (isAt(at)) return at;
  }
  return undefined;
}
