/**
 * Reads what `cargo check --message-format=json` prints.
 *
 * Invariant: a problem is told once, however many targets it was found in, and stands at the place in the
 * workspace that the reader can change, not inside a macro of somebody else.
 */
import { isAbsolute, relative, sep } from 'node:path';
import type { Diagnostic, Severity } from '../lsp/diagnostic.ts';
import { fromEncoding } from '../text/position-encoding.ts';

export function readCargoMessages(output: string, root: string): ReadonlyMap<string, readonly Diagnostic[]> {
  const problems = new Map<string, Map<string, Diagnostic>>();
  for (const line of output.split('\n')) {
    const message = compilerMessage(line);
    const severity = severities[String(message?.level)];
    const span = message?.spans
      ?.filter(({ is_primary }) => is_primary)
      .map((each) => spanInside(each, root))[0];
    if (!message || severity === undefined || !span) continue;
    const diagnostic: Diagnostic = {
      range: rangeOf(span),
      severity,
      message: [message.message, ...labelsOf(message)].join('\n'),
      source: 'rustc',
      ...(message.code?.code && { code: message.code.code }),
    };
    const path = pathInside(span.file_name, root);
    const known = problems.get(path) ?? new Map<string, Diagnostic>();
    known.set(JSON.stringify(diagnostic), diagnostic);
    problems.set(path, known);
  }
  return new Map([...problems].map(([path, known]) => [path, [...known.values()]]));
}

interface Message {
  readonly level: string;
  readonly message: string;
  readonly code?: { readonly code?: string } | null;
  readonly spans?: readonly Span[];
}

interface Span {
  readonly file_name: string;
  /** From one; columns count characters. */
  readonly line_start: number;
  readonly line_end: number;
  readonly column_start: number;
  readonly column_end: number;
  readonly is_primary: boolean;
  readonly label?: string | null;
  readonly text?: readonly { readonly text: string }[];
  readonly expansion?: { readonly span: Span } | null;
}

const severities: Readonly<Record<string, Severity>> = { error: 'error', warning: 'warning' };

function compilerMessage(line: string): Message | undefined {
  if (!line.startsWith('{')) return undefined;
  const record: { readonly reason?: string; readonly message?: Message } = JSON.parse(line);
  return record.reason === 'compiler-message' ? record.message : undefined;
}

function spanInside(span: Span, root: string): Span | undefined {
  if (!pathInside(span.file_name, root).startsWith('..')) return span;
  return span.expansion ? spanInside(span.expansion.span, root) : undefined;
}

function pathInside(file: string, root: string): string {
  return (isAbsolute(file) ? relative(root, file) : file).split(sep).join('/');
}

function rangeOf(span: Span): Diagnostic['range'] {
  const first = span.text?.[0]?.text ?? '';
  const last = span.text?.at(-1)?.text ?? first;
  return {
    start: { line: span.line_start - 1, character: fromEncoding(first, span.column_start - 1, 'utf-32') },
    end: { line: span.line_end - 1, character: fromEncoding(last, span.column_end - 1, 'utf-32') },
  };
}

/** The compiler's explanation at the place itself, which often says more than the headline. */
function labelsOf({ spans }: Message): readonly string[] {
  return (spans ?? []).flatMap(({ is_primary, label }) => (is_primary && label ? [label] : []));
}
