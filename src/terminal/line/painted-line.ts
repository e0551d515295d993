/**
 * Turns styled lines into the bytes for a terminal.
 *
 * Invariant: without colour a line is sent as plain text; with colour every style is reset at its end.
 */
import type { Style, StyledLine } from './styled-line.ts';

export type Colour = 'coloured' | 'plain';

export function paintLine(spans: StyledLine, colour: Colour): string {
  return spans.map(({ text, styles }) => painted(text, styles, colour)).join('');
}

function painted(text: string, styles: readonly Style[], colour: Colour): string {
  if (colour === 'plain' || styles.length === 0 || text === '') return text;
  return `\u001b[${styles.map((style) => codes[style]).join(';')}m${text}\u001b[0m`;
}

const codes: Readonly<Record<Style, string>> = {
  strong: '1',
  emphasis: '3',
  heading: '1;4',
  code: '36',
  link: '4',
  faint: '2',
  added: '32',
  removed: '31',
  good: '32',
  warning: '33',
  error: '31',
  accent: '35',
};
