/**
 * Renders Markdown as terminal lines while it is being received.
 *
 * Invariants: the lines do not depend on how the text is split into pieces; a returned line is never changed; every
 * prefix of a text can be shown.
 */
import { type StyledLine, span } from '../line/styled-line.ts';
import { visibleText } from '../line/visible-text.ts';
import { wrapLine } from '../line/wrapped-line.ts';
import { inlineSpans } from './inline-markdown.ts';
import { isTableRow, tableLines } from './markdown-table.ts';

export interface MarkdownOptions {
  readonly columns: number;
  /** `written` keeps the markup, for terminals without styles. */
  readonly marks: 'styled' | 'written';
}

/** The state of an incomplete text. */
export interface MarkdownState {
  /** The incomplete last line. */
  readonly pending: string;
  /** The open code block. */
  readonly fence: Fence | undefined;
  /** Rows that may be a table. They are returned when it ends, since its widths depend on all rows. */
  readonly rows: readonly string[];
  readonly isBlank: boolean;
}

interface Fence {
  readonly mark: string;
  readonly language: string;
}

export interface MarkdownStep {
  readonly state: MarkdownState;
  readonly lines: readonly StyledLine[];
}

export const emptyMarkdown: MarkdownState = { pending: '', fence: undefined, rows: [], isBlank: true };

/** Adds a piece of text and returns the lines it completed. */
export function pushMarkdown(state: MarkdownState, text: string, options: MarkdownOptions): MarkdownStep {
  const [first = '', ...rest] = text.split('\n');
  let next: MarkdownState = { ...state, pending: state.pending + first };
  const lines: StyledLine[] = [];
  for (const piece of rest) {
    const step = takeLine(next, next.pending, options);
    lines.push(...step.lines);
    next = { ...step.state, pending: piece };
  }
  return { state: next, lines };
}

/** The lines of the incomplete rest, as if the text ended here. */
export function restOfMarkdown(state: MarkdownState, options: MarkdownOptions): readonly StyledLine[] {
  const last = state.pending === '' ? { state, lines: [] } : takeLine(state, state.pending, options);
  return [...last.lines, ...tableSoFar(last.state, options)];
}

/** The lines of a complete text. */
export function markdownLines(text: string, options: MarkdownOptions): readonly StyledLine[] {
  const { state, lines } = pushMarkdown(emptyMarkdown, text, options);
  return [...lines, ...restOfMarkdown(state, options)];
}

function takeLine(state: MarkdownState, raw: string, options: MarkdownOptions): MarkdownStep {
  const text = visibleText(raw.replace(/\r$/, ''));
  if (state.fence) return takeCode(state, state.fence, text, options);
  if (options.marks === 'styled' && isTableRow(text)) {
    return { state: { ...state, rows: [...state.rows, text], isBlank: false }, lines: [] };
  }
  const before = tableSoFar(state, options);
  const after = { ...state, rows: [], isBlank: text.trim() === '' };
  const [, mark, language = ''] = /^\s*(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/.exec(text) ?? [];
  if (mark !== undefined) {
    const shown = options.marks === 'written' ? wrapped(text, options) : [];
    return { state: { ...after, fence: { mark, language } }, lines: [...before, ...shown] };
  }
  // Repeated empty lines become one.
  const isRepeated = after.isBlank && state.isBlank && before.length === 0;
  return { state: after, lines: isRepeated ? before : [...before, ...blockLines(text, options)] };
}

function takeCode(
  state: MarkdownState,
  { mark, language }: Fence,
  text: string,
  options: MarkdownOptions,
): MarkdownStep {
  const after = { ...state, isBlank: false };
  const bare = text.trim();
  const isEnd = bare.length >= mark.length && bare === (mark[0] ?? '').repeat(bare.length);
  if (options.marks === 'written') {
    return {
      state: { ...after, fence: isEnd ? undefined : state.fence },
      lines: codeLines(text, language, options),
    };
  }
  if (isEnd) return { state: { ...after, fence: undefined }, lines: [] };
  return { state: after, lines: codeLines(text, language, options) };
}

function codeLines(
  text: string,
  language: string,
  { columns, marks }: MarkdownOptions,
): readonly StyledLine[] {
  const indent = marks === 'written' ? '' : '  ';
  const hanging = indent === '' ? [] : [span(indent)];
  return wrapLine([...hanging, span(text, codeStyle(text, language))], {
    columns,
    hanging,
    at: 'characters',
  });
}

function codeStyle(text: string, language: string): 'code' | 'added' | 'removed' {
  if (language !== 'diff' && language !== 'patch') return 'code';
  if (text.startsWith('+')) return 'added';
  return text.startsWith('-') ? 'removed' : 'code';
}

function tableSoFar({ rows }: MarkdownState, options: MarkdownOptions): readonly StyledLine[] {
  if (rows.length === 0) return [];
  const { columns } = options;
  return tableLines(rows, columns) ?? rows.flatMap((row) => wrapLine(inlineSpans(row.trim()), { columns }));
}

function blockLines(text: string, options: MarkdownOptions): readonly StyledLine[] {
  const { columns, marks } = options;
  if (text.trim() === '') return [[]];
  if (marks === 'written') return wrapped(text, options);
  const [, heading] = /^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$/.exec(text) ?? [];
  if (heading !== undefined) return wrapLine(inlineSpans(heading, ['heading']), { columns });
  if (/^\s*([-*_])(?:\s*\1){2,}\s*$/.test(text)) return [[span('─'.repeat(Math.min(columns, 40)), 'faint')]];
  const [, quoted] = /^\s{0,3}>\s?(.*)$/.exec(text) ?? [];
  if (quoted !== undefined) return quoteLines(quoted, options);
  const [, indent = '', bullet, item = ''] = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/.exec(text) ?? [];
  if (bullet !== undefined) return itemLines({ indent, bullet, item }, options);
  return wrapLine(inlineSpans(text), { columns, hanging: [span(leading(text))] });
}

function quoteLines(quoted: string, { columns, marks }: MarkdownOptions): readonly StyledLine[] {
  const bar = span('│ ', 'faint');
  const inner = blockLines(quoted, { columns: Math.max(1, columns - 2), marks });
  return inner.map((each) => [bar, ...each]);
}

function itemLines(
  { indent, bullet, item }: { readonly indent: string; readonly bullet: string; readonly item: string },
  { columns }: MarkdownOptions,
): readonly StyledLine[] {
  const lead = `${indent}${/\d/.test(bullet) ? bullet : '•'} `;
  return wrapLine([span(lead), ...inlineSpans(item)], { columns, hanging: [span(' '.repeat(lead.length))] });
}

/** Wraps a line and indents its continuation lines. */
function wrapped(text: string, { columns }: MarkdownOptions): readonly StyledLine[] {
  const [bullet = ''] = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/.exec(text) ?? [];
  const hanging = bullet === '' ? leading(text) : ' '.repeat(bullet.length);
  return wrapLine([span(text)], { columns, hanging: [span(hanging)] });
}

function leading(text: string): string {
  return ' '.repeat(text.length - text.trimStart().length);
}
