/**
 * Finds the comment, decorators and attributes above a definition that belong to it.
 *
 * Invariant: nothing beyond a blank line belongs to it, and neither does a comment about the whole file.
 */
import type { LineIndex } from '../text/position.ts';
import { outlineAll } from './code-outline.ts';
import type { CodeSyntax } from './code-syntax.ts';

/** The first line that belongs to the definition on `line`; `line` itself if nothing above does. */
export function attachedFrom(index: LineIndex, line: number, syntax: CodeSyntax): number {
  let first = line;
  while (first > 0) {
    const above = partEndingAt(index, first - 1, syntax);
    if (above === undefined) return first;
    first = above;
  }
  return first;
}

/** The first line of the comment or annotation that ends on this line; undefined if it is neither. */
function partEndingAt(index: LineIndex, line: number, syntax: CodeSyntax): number | undefined {
  const text = index.lineText(line).trim();
  if (text === '' || isAboutFile(text)) return undefined;
  if (isAnnotation(text, syntax)) return line;
  if (syntax.lineComments.some((open) => text.startsWith(open))) return line;
  if (syntax.blockComment && text.endsWith(syntax.blockComment.close)) {
    return blockCommentStart(index, line, syntax.blockComment);
  }
  return /[)\]}>]$/.test(text) ? annotationStart(index, line, syntax) : undefined;
}

/** A shebang line, and Rust's inner comments and attributes. */
function isAboutFile(text: string): boolean {
  return text.startsWith('#!') || text.startsWith('//!');
}

function isAnnotation(text: string, { annotations }: CodeSyntax): boolean {
  return annotations.some((open) => {
    if (!text.startsWith(open)) return false;
    // In C++ and C# these begin other things too; an annotation of the next line is closed on its own line.
    if (open === 'template') return /^template\s*<.*>$/.test(text);
    return open.startsWith('[') ? text.endsWith(']') : !/[{;]$/.test(text);
  });
}

function blockCommentStart(
  index: LineIndex,
  line: number,
  { open }: { readonly open: string },
): number | undefined {
  for (let first = line; first >= 0; first--) {
    const text = index.lineText(first).trim();
    if (text.startsWith(open)) return first;
    if (first < line && text.includes('*/')) return undefined;
    if (text.includes(open)) return undefined;
  }
  return undefined;
}

/** An annotation over several lines: its beginning is recognised, and its brackets close on this line. */
function annotationStart(index: LineIndex, line: number, syntax: CodeSyntax): number | undefined {
  const end = index.lineEnd(line);
  for (let first = line - 1; first >= 0 && line - first < 60; first--) {
    const text = index.lineText(first).trim();
    if (text === '') return undefined;
    if (!syntax.annotations.some((open) => text.startsWith(open))) continue;
    const pieces = outlineAll(index.text, { start: index.lineStart(first), end }, syntax);
    if (!pieces) return undefined;
    const isOne =
      pieces.at(-1)?.kind === 'group' && pieces.filter(({ kind }) => kind === 'group').length === 1;
    return isOne ? first : undefined;
  }
  return undefined;
}
