/**
 * Scans the redirects that cannot write: output to /dev/null or to the other stream, input from a file, from a
 * literal or from a quoted here-document.
 *
 * Invariant: a redirect that opens a file for writing is always a boundary.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import { type NestedScripts, type Scanned, sticky } from './scanned.ts';
import type { OutputRedirect, ShellInput, ShellWord } from './shell-list.ts';
import { isWordEnd, scanWords } from './word-scanner.ts';

/** The redirect that starts at `at`; undefined if there is none. */
export function scanRedirect(
  text: string,
  at: number,
  nested: NestedScripts,
): Scanned<OutputRedirect | ShellInput> | ShellBoundary | undefined {
  const start = sticky(/\d*[<>]|&>/y, text, at);
  if (start === undefined) return undefined;
  if (start === '<') return scanInput(text, at, nested);
  return scanDuplicate(text, at) ?? scanNull(text, at, nested);
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
  '&>>': '&>/dev/null',
};

function scanDuplicate(text: string, at: number): Scanned<OutputRedirect> | undefined {
  const written = sticky(/[12]?>&[12]/y, text, at);
  const redirect = written === undefined ? undefined : duplicates[written];
  if (written === undefined || redirect === undefined) return undefined;
  const end = at + written.length;
  return isWordEnd(text[end]) ? { value: redirect, end } : undefined;
}

function scanNull(text: string, at: number, nested: NestedScripts): Scanned<OutputRedirect> | ShellBoundary {
  const operator = sticky(/[12]?>>?|&>>?/y, text, at) ?? '';
  const redirect = nulls[operator];
  const target = redirect && scanTarget(text, at + operator.length, nested);
  if (redirect && target && !isBoundary(target) && !target.value.parts && target.value.text === '/dev/null') {
    return { value: redirect, end: target.end };
  }
  return boundary('redirect', at, 'output may go to /dev/null only');
}

function scanInput(text: string, at: number, nested: NestedScripts): Scanned<ShellInput> | ShellBoundary {
  const operator = sticky(/<<<|<<-?|<(?![<>&(])/y, text, at);
  if (operator === undefined) return boundary('redirect', at, 'only <, <<< and a quoted << are read');
  if (operator.startsWith('<<') && operator !== '<<<') return scanHereDocument(text, at, operator);
  const provided = operator === '<' ? scanProvided(text, at + 1, nested) : undefined;
  if (provided) return provided;
  const target = scanTarget(text, at + operator.length, nested);
  if (isBoundary(target)) return target;
  const { value: word, end } = target;
  if (operator === '<<<' && word.parts) return { value: { kind: 'word', word }, end };
  if (operator === '<<<') return { value: { kind: 'text', text: `${word.text}\n` }, end };
  return { value: { kind: 'file', path: word }, end };
}

/** The `<(…)` after a redirect; undefined if there is none. */
function scanProvided(
  text: string,
  at: number,
  nested: NestedScripts,
): Scanned<ShellInput> | ShellBoundary | undefined {
  const blanks = sticky(/[ \t]+(?=<\()/y, text, at)?.length;
  if (blanks === undefined) return undefined;
  const script = nested.parenthesised(at + blanks + 2, 'file');
  if (isBoundary(script)) return script;
  if (!isWordEnd(text[script.end])) return boundary('redirect', script.end, 'a word goes on behind <(…)');
  return { value: { kind: 'output', script: script.value }, end: script.end };
}

/** The literal word after a redirect. */
function scanTarget(text: string, at: number, nested: NestedScripts): Scanned<ShellWord> | ShellBoundary {
  const start = at + (sticky(/[ \t]*/y, text, at)?.length ?? 0);
  if (isWordEnd(text[start]) || text[start] === '#') {
    return boundary('redirect', start, 'a redirect has no target that is read');
  }
  const words = scanWords(text, start, nested);
  if (isBoundary(words)) return words;
  const [word, ...more] = words.value;
  if (word && more.length === 0 && word.pattern === undefined) return { value: word, end: words.end };
  return boundary('redirect', start, 'the target of a redirect stands for several words');
}

function scanHereDocument(text: string, at: number, operator: string): Scanned<ShellInput> | ShellBoundary {
  const start = at + operator.length + (sticky(/[ \t]*/y, text, at + operator.length)?.length ?? 0);
  const written = sticky(/'[A-Za-z_]\w*'|"[A-Za-z_]\w*"|\\?[A-Za-z_]\w*/y, text, start);
  const end = start + (written?.length ?? 0);
  if (written === undefined || !isWordEnd(text[end])) {
    return boundary('here-document', at, 'the delimiter of a here-document must be one plain word');
  }
  const body = readBody(text, end, { delimiter: written.replace(/\W/g, ''), strips: operator === '<<-' });
  if (body === undefined) return boundary('here-document', at, 'the here-document is not closed');
  if (/^\w/.test(written) && /[$`\\]/.test(body.text)) {
    return boundary(
      'here-document',
      at,
      'the delimiter must be quoted, or the body of the here-document is expanded',
    );
  }
  return { value: { kind: 'text', text: body.text }, end, body };
}

interface HereDocument {
  readonly delimiter: string;
  /** Whether leading tabs are removed from every line. */
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
