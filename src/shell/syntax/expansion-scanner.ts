/**
 * Scans what starts with a dollar or a backquote: variables, command substitutions and arithmetic.
 *
 * Invariant: an expansion that can execute the text of a variable is refused.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import { calculate, scriptsOf, variablesOf } from '../reading/calculation.ts';
import { scanArithmetic } from './arithmetic-scanner.ts';
import { scanBraced } from './parameter-scanner.ts';
import { type NestedScripts, type Scanned, sticky } from './scanned.ts';
import type { Calculation, Expansion, Parameter, WordPiece } from './shell-list.ts';

interface ExpansionRequest {
  readonly nested: NestedScripts;
  readonly quoted: boolean;
}

export function scanExpansion(
  text: string,
  at: number,
  { nested, quoted }: ExpansionRequest,
): Scanned<Expansion | WordPiece> | ShellBoundary {
  if (text[at] === '`') return scanBackquotes(text, at, { nested, quoted });
  if (text.startsWith('$((', at)) return scanCalculation(text, at, { nested, quoted });
  if (text[at + 1] === '(') {
    const script = nested.parenthesised(at + 2, 'output');
    if (isBoundary(script)) return script;
    return { value: { substitution: script.value, quoted }, end: script.end };
  }
  const plain = sticky(/\$(?:[A-Za-z_]\w*|\?)/y, text, at);
  if (plain !== undefined) {
    const parameter: Parameter = { name: plain.slice(1), change: { kind: 'none' } };
    return { value: { parameter, quoted }, end: at + plain.length };
  }
  const braced = text[at + 1] === '{' ? scanBraced(text, at) : undefined;
  if (braced) return { value: { parameter: braced.value, quoted }, end: braced.end };
  // At the end of a word a dollar is literal, as in a regular expression.
  if (text[at + 1] === undefined || /\s/.test(text[at + 1] ?? ''))
    return { value: { literal: '$' }, end: at + 1 };
  return boundary('expansion', at, 'this expansion is not read');
}

/** Arithmetic on numbers alone is computed here. */
function scanCalculation(
  text: string,
  at: number,
  { nested, quoted }: ExpansionRequest,
): Scanned<Expansion | WordPiece> | ShellBoundary {
  const calculation = scanArithmetic(text, at, nested);
  if (isBoundary(calculation)) return calculation;
  const { value, end } = calculation;
  const constant = calculate(value, { valueOf: () => undefined, outputOf: () => undefined });
  if (isOpen(value)) return { value: { calculation: value, quoted }, end };
  return constant === undefined
    ? boundary('expansion', at, 'the arithmetic has no result')
    : { value: { literal: String(constant) }, end };
}

/** Whether a calculation depends on more than its text, even in a part that is not computed. */
function isOpen(calculation: Calculation): boolean {
  return variablesOf(calculation).length > 0 || scriptsOf(calculation).length > 0;
}

function scanBackquotes(
  text: string,
  at: number,
  { nested, quoted }: ExpansionRequest,
): Scanned<Expansion> | ShellBoundary {
  const written = sticky(/`[^`\\]*`/y, text, at);
  if (written === undefined) return boundary('expansion', at, 'backquotes with escapes inside are not read');
  const script = nested.whole(written.slice(1, -1), at + 1);
  if (isBoundary(script)) return script;
  return { value: { substitution: script, quoted }, end: at + written.length };
}
