/** Changes of files as lines; additions and removals differ in sign and colour. */
import { type FilePatch, printUnifiedDiff } from '../../text/unified-diff.ts';
import { line, type StyledLine, span } from '../line/styled-line.ts';
import { visibleText } from '../line/visible-text.ts';
import { wrapLine } from '../line/wrapped-line.ts';

export interface DiffViewOptions {
  readonly columns: number;
  /** Longer diffs are cut, and the number of omitted lines is shown. */
  readonly mostLines?: number;
}

/** Maximum length of a diff that is shown automatically. */
export const mostDiffLines = 40;

export function diffLines(
  patches: readonly FilePatch[],
  { columns, mostLines = Number.POSITIVE_INFINITY }: DiffViewOptions,
): readonly StyledLine[] {
  const lines = patches.flatMap((patch) => [headOf(patch), ...bodyOf(patch)]);
  const left = lines.length - mostLines;
  const shown =
    left > 0 ? [...lines.slice(0, mostLines), line(`… ${left} more lines; /diff shows all`, 'faint')] : lines;
  return shown.flatMap((each) => wrapLine(each, { columns, hanging: [span('  ')], at: 'characters' }));
}

/** `+3 -1`. */
export function changeCount(patches: readonly FilePatch[]): string {
  const lines = patches.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  const count = (kind: 'added' | 'removed'): number => lines.filter((each) => each.kind === kind).length;
  return `+${count('added')} -${count('removed')}`;
}

function headOf(patch: FilePatch): StyledLine {
  const { kind, oldPath = '', newPath = '' } = patch;
  const name =
    oldPath !== '' && newPath !== '' && oldPath !== newPath ? `${oldPath} → ${newPath}` : newPath || oldPath;
  const reported = kind === 'modified' ? '' : ` (${kind})`;
  return [span(`${name}${reported}`, 'strong'), span(` ${changeCount([patch])}`, 'faint')];
}

/** The diff without its file names, which are printed above. */
function bodyOf(patch: FilePatch): readonly StyledLine[] {
  const printed = visibleText(printUnifiedDiff([{ ...patch, hunks: patch.hunks }])).split('\n');
  const start = printed.findIndex((text) => text.startsWith('@@'));
  if (start < 0) return [];
  return printed.slice(start, -1).map(diffLine);
}

function diffLine(text: string): StyledLine {
  if (text.startsWith('+')) return line(text, 'added');
  if (text.startsWith('-')) return line(text, 'removed');
  return text.startsWith('@@') || text.startsWith('\\') ? line(text, 'faint') : line(text);
}
