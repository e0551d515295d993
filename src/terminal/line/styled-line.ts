/**
 * One line of text with styles. The appearance of a style is decided when the line is painted.
 *
 * Invariant: a span contains no line feed and no escape sequence.
 */
import { widthOf } from './character-width.ts';
import { visibleLine } from './visible-text.ts';

export type Style =
  | 'strong'
  | 'emphasis'
  | 'heading'
  | 'code'
  | 'link'
  | 'faint'
  | 'added'
  | 'removed'
  | 'good'
  | 'warning'
  | 'error'
  | 'accent';

export interface Span {
  readonly text: string;
  readonly styles: readonly Style[];
}

export type StyledLine = readonly Span[];

/** A piece of text, made safe to show, with the given styles. */
export function span(text: string, ...styles: readonly Style[]): Span {
  return { text: visibleLine(text), styles };
}

/** A line with one span. */
export function line(text: string, ...styles: readonly Style[]): StyledLine {
  return text === '' ? [] : [span(text, ...styles)];
}

export function textOfLine(spans: StyledLine): string {
  return spans.map(({ text }) => text).join('');
}

export function widthOfLine(spans: StyledLine): number {
  return spans.reduce((sum, { text }) => sum + widthOf(text), 0);
}
