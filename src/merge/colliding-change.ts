/**
 * Which change an error comes from: the changed lines that name what the error names.
 *
 * It is an explanation, not a proof: the error itself was measured.
 */

import type { Finding } from '../evaluation/evaluation.ts';
import type { FileChange } from '../overlay/overlay.ts';
import { compareLines } from '../text/diff.ts';
import type { FileContent } from '../workspace/file-content.ts';
import { baseName, type WorkspacePath } from '../workspace/workspace-path.ts';

export interface CollidingChange {
  readonly path: WorkspacePath;
  /** Zero-based, in the text of that side. */
  readonly line: number;
  /** The changed line, without its indentation. */
  readonly text: string;
}

interface Candidate extends CollidingChange {
  readonly score: number;
}

/** The changed line of a side that shares most with the error; `text` is that of the file with the error. */
export function collidingChange(
  changes: readonly FileChange[],
  { finding, text }: { readonly finding: Finding; readonly text: string },
): CollidingChange | undefined {
  const { start } = finding.diagnostic.range;
  const line = text.split('\n')[start.line] ?? '';
  const inMessage = new Set(words(finding.diagnostic.message));
  const inLine = new Set(words(line));
  const candidates = changes.flatMap((change): readonly Candidate[] => {
    // A message or an import line that names the changed file points to the declaration.
    const isNamed = inMessage.has(stemOf(change.path)) || inLine.has(stemOf(change.path));
    return changedLines(change).map(({ line: at, text: changed }) => {
      const isErrorLine = change.path === finding.path && changed.trim() === line.trim();
      const shared = words(changed);
      const overlap =
        3 * shared.filter((word) => inMessage.has(word)).length +
        2 * shared.filter((word) => inLine.has(word) && !inMessage.has(word)).length;
      // Where a name is declared it changed its meaning; its uses followed.
      const isDeclaration = declaredIn(changed).some((word) => inMessage.has(word) || inLine.has(word));
      const bonus = (isErrorLine ? 4 : 0) + (isNamed ? 6 : 0) + (isDeclaration ? 5 : 0);
      const score = overlap === 0 ? 0 : overlap + bonus;
      return { path: change.path, line: at, text: changed.trim(), score };
    });
  });
  const best = candidates.reduce<Candidate | undefined>(
    (most, each) => (each.score > (most?.score ?? 0) ? each : most),
    undefined,
  );
  return best && { path: best.path, line: best.line, text: best.text };
}

/** The new lines of a change; where lines only went, the removed ones, at the place where they were. */
function changedLines({ before, after }: FileChange): readonly { line: number; text: string }[] {
  const [old, next] = [textIn(before), textIn(after)];
  const [oldLines, newLines] = [old.split('\n'), next.split('\n')];
  return compareLines(old, next).flatMap(({ oldStart, oldEnd, newStart, newEnd }) => {
    const added = newLines.slice(newStart, newEnd).map((text, index) => ({ line: newStart + index, text }));
    const removed = oldLines.slice(oldStart, oldEnd).map((text) => ({ line: newStart, text }));
    return added.length > 0 ? [...added, ...removed] : removed;
  });
}

/** The names that a line declares, in the languages that say so by a word before the name. */
function declaredIn(line: string): readonly string[] {
  return [...line.matchAll(declaration)].flatMap(([, name]) => name ?? []);
}

const declaration =
  /\b(?:function\*?|const|let|var|class|interface|type|enum|def|fn|func|struct|trait|impl|val)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu;

/** `src/math.ts` is imported as `math`. */
function stemOf(path: WorkspacePath): string {
  return baseName(path).replace(/\.[^.]*$/, '');
}

function textIn(content: FileContent | undefined): string {
  return content?.kind === 'text' ? content.text : '';
}

/** The identifiers of a text, without the words that say nothing. */
function words(text: string): readonly string[] {
  const found = text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  return [...new Set(found)].filter((word) => word.length > 1 && !common.has(word));
}

const common: ReadonlySet<string> = new Set(
  'argument arguments assignable async await be but class const def does exist export expected from function got has have import in is let missing module name no not number object of on or parameter property return self string the this to type undefined value var void'.split(
    ' ',
  ),
);
