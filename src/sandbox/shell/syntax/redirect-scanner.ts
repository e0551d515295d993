/**
 * Reads the redirects that cannot write: output to nowhere or to the other stream, input from a file,
 * from a literal or from a quoted here-document.
 *
 * Invariant: no redirect that opens a file for writing is ever answered with anything but a boundary.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import { type Scanned, sticky } from './scanned.ts';
import type { OutputRedirect, ShellInput, ShellWord } from './shell-list.ts';
import { isWordEnd, scanWord } from './word-scanner.ts';

/** The redirect that starts at `at`; undefined when none does. */
export function scanRedirect(
  text: string,
  at: number,
): Scanned<OutputRedirect | ShellInput> | ShellBoundary | undefined {
  const start = sticky(/\d*[<>]|&>/y, text, at);
  if (start === undefined) return undefined;
  if (start === '<') return scanInput(text, at);
  return scanDuplicate(text, at) ?? scanNull(text, at);
}

const duplicates: Readonly<Record<string, OutputRedirect>> = { '2>&1': '2>&1', '1>&2': '>&2', '>&2': '>&2' };

const nulls: Readonly<Record<string, OutputRedirect>> = {
  '>': '>/dev/null',
  '>>': '>/dev/null',
  '1>': '>/dev/null',
  '1>>': '>/dev/null',
  '2>': '2>/dev/null',
  '2>>': '2>/dev/null',
  '&>': '&>/dev/null',
};

function scanDuplicate(text: string, at: number): Scanned<OutputRedirect> | undefined {
  const written = sticky(/[12]?>&[12]/y, text, at);
  const redirect = written === undefined ? undefined : duplicates[written];
  if (written === undefined || redirect === undefined) return undefined;
  const end = at + written.length;
  return isWordEnd(text[end]) ? { value: redirect, end } : undefined;
}

function scanNull(text: string, at: number): Scanned<OutputRedirect> | ShellBoundary {
  const operator = sticky(/[12]?>>?|&>/y, text, at) ?? '';
  const redirect = nulls[operator];
  const target = redirect && scanTarget(text, at + operator.length);
  if (redirect && target && !isBoundary(target) && target.value.text === '/dev/null') {
    return { value: redirect, end: target.end };
  }
  return boundary('redirect', at, 'output may go to /dev/null only');
}

function scanInput(text: string, at: number): Scanned<ShellInput> | ShellBoundary {
  const operator = sticky(/<<<|<<-?|<(?![<>&(])/y, text, at);
  if (operator === undefined) return boundary('redirect', at, 'only <, <<< and a quoted << are read');
  if (operator.startsWith('<<') && operator !== '<<<') return scanHereDocument(text, at, operator);
  const target = scanTarget(text, at + operator.length);
  if (isBoundary(target)) return target;
  const { value: word, end } = target;
  if (operator === '<<<') return { value: { kind: 'text', text: `${word.text}\n` }, end };
  return { value: { kind: 'file', path: word }, end };
}

/** The literal word a redirect is followed by. */
function scanTarget(text: string, at: number): Scanned<ShellWord> | ShellBoundary {
  const start = at + (sticky(/[ \t]*/y, text, at)?.length ?? 0);
  if (isWordEnd(text[start]) || text[start] === '#') {
    return boundary('redirect', start, 'a redirect has no target that is read');
  }
  const word = scanWord(text, start);
  if (isBoundary(word) || word.value.pattern === undefined) return word;
  return boundary('redirect', start, 'the target of a redirect is a pattern');
}

function scanHereDocument(text: string, at: number, operator: string): Scanned<ShellInput> | ShellBoundary {
  const start = at + operator.length + (sticky(/[ \t]*/y, text, at + operator.length)?.length ?? 0);
  const written = sticky(/'[A-Za-z_]\w*'|"[A-Za-z_]\w*"|\\[A-Za-z_]\w*/y, text, start);
  const end = start + (written?.length ?? 0);
  if (written === undefined || !isWordEnd(text[end])) {
    return boundary(
      'here-document',
      at,
      'the delimiter of a here-document must be quoted, or its body is expanded',
    );
  }
  const body = readBody(text, end, { delimiter: written.replace(/\W/g, ''), strips: operator === '<<-' });
  if (body === undefined) return boundary('here-document', at, 'the here-document is not closed');
  return { value: { kind: 'text', text: body.text }, end, body };
}

interface HereDocument {
  readonly delimiter: string;
  /** Whether leading tabs are taken off every line. */
  readonly strips: boolean;
}

function readBody(
  text: string,
  from: number,
  { delimiter, strips }: HereDocument,
): { readonly text: string; readonly lineEnd: number; readonly end: number } | undefined {
  const lineEnd = text.indexOf('\n', from);
  if (lineEnd < 0) return undefined;
  const lines: string[] = [];
  for (let start = lineEnd + 1; start < text.length; ) {
    const next = text.indexOf('\n', start);
    const stop = next < 0 ? text.length : next;
    const line = strips ? text.slice(start, stop).replace(/^\t+/, '') : text.slice(start, stop);
    if (line === delimiter) {
      return {
        text: lines.map((each) => `${each}\n`).join(''),
        lineEnd,
        end: Math.min(stop + 1, text.length),
      };
    }
    lines.push(line);
    start = stop + 1;
  }
  return undefined;
}
