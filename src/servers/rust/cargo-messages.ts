/**
 * Parses the output of `cargo check --message-format=json`.
 *
 * Invariants: a problem is reported once, however many targets report it, at the place in the workspace that the
 * reader can change, not inside a macro of a dependency. A run that failed for another reason than the reported
 * problems (a build script, a missing package) never counts as one that checked everything.
 */
import { relative, resolve, sep } from 'node:path';
import type { Diagnostic, Severity } from '../../lsp/diagnostic.ts';
import { fromEncoding } from '../../text/position.ts';

export interface CargoRun {
  /** Absent if a signal ended it. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CargoReport {
  readonly problems: ReadonlyMap<string, readonly Diagnostic[]>;
  /** Why not everything was checked. */
  readonly failure: string | undefined;
}

/** Where cargo ran: the workspace, and the directory in it that the compiler's paths are relative to. */
export interface CargoPlace {
  readonly root: string;
  readonly directory: string;
}

export function readCargoRun(run: CargoRun, place: CargoPlace): CargoReport {
  const problems = readCargoMessages(run.stdout, place);
  return { problems, failure: failureOf(run, problems, place) };
}

/** Cargo's last line about every package whose problems it has reported. */
const reported = /^error: could not compile /;

function failureOf(
  { code, stdout, stderr }: CargoRun,
  problems: CargoReport['problems'],
  place: CargoPlace,
): string | undefined {
  if (code === 0) return undefined;
  const errors = stderr.split('\n').filter((line) => /^error\b/.test(line));
  const others = errors.filter((line) => !reported.test(line));
  const hasErrors = [...problems.values()].flat().some(({ severity }) => severity === 'error');
  if (others.length === 0 && hasErrors) return undefined;
  if (/\boffline\b/.test(stderr)) {
    const wanted = [...stderr.matchAll(missingPackage)].map(([, name = '']) => name);
    const names = [...new Set(wanted)].slice(0, 5).join(', ');
    return `dependencies are not downloaded${names && ` (${names})`}; run \`cargo fetch\` in the workspace`;
  }
  const [line = stderr.trim().split('\n').at(-1) ?? ''] = [...others, ...unplaced(stdout, place), ...errors];
  return line.replace(/^error(?:\[\w+\])?: /, '') || `it ended with ${code ?? 'a signal'}`;
}

/** Compiler messages about no file of the workspace: a linker that failed, an error in a dependency. */
function unplaced(output: string, place: CargoPlace): readonly string[] {
  return output.split('\n').flatMap((line) => {
    const message = compilerMessage(line);
    if (message?.level !== 'error' || /^aborting due to/.test(message.message)) return [];
    return message.spans?.some((span) => spanInside(span, place)) ? [] : [message.message];
  });
}

const missingPackage =
  /(?:package named|failed to download|failed to get|failed to load source for dependency|for the requirement) `([^`]+)`/g;

function readCargoMessages(output: string, place: CargoPlace): ReadonlyMap<string, readonly Diagnostic[]> {
  const problems = new Map<string, Map<string, Diagnostic>>();
  for (const line of output.split('\n')) {
    const message = compilerMessage(line);
    const severity = severities[String(message?.level)];
    const span = message?.spans
      ?.filter(({ is_primary }) => is_primary)
      .map((each) => spanInside(each, place))[0];
    if (!message || severity === undefined || !span) continue;
    const diagnostic: Diagnostic = {
      range: rangeOf(span),
      severity,
      message: [message.message, ...labelsOf(message)].join('\n'),
      source: 'rustc',
      ...(message.code?.code && { code: message.code.code }),
    };
    const path = pathInside(span.file_name, place);
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
  const record = parseRecord(line);
  return record?.reason === 'compiler-message' ? record.message : undefined;
}

/** A program of the workspace can write between cargo's lines; lines that are no record are skipped. */
function parseRecord(line: string): { readonly reason?: string; readonly message?: Message } | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function spanInside(span: Span, place: CargoPlace): Span | undefined {
  if (!pathInside(span.file_name, place).startsWith('..')) return span;
  return span.expansion ? spanInside(span.expansion.span, place) : undefined;
}

function pathInside(file: string, { root, directory }: CargoPlace): string {
  return relative(root, resolve(directory, file)).split(sep).join('/');
}

function rangeOf(span: Span): Diagnostic['range'] {
  const first = span.text?.[0]?.text ?? '';
  const last = span.text?.at(-1)?.text ?? first;
  return {
    start: { line: span.line_start - 1, character: fromEncoding(first, span.column_start - 1, 'utf-32') },
    end: { line: span.line_end - 1, character: fromEncoding(last, span.column_end - 1, 'utf-32') },
  };
}

/** The compiler's labels at the position itself, which often say more than the headline. */
function labelsOf({ spans }: Message): readonly string[] {
  return (spans ?? []).flatMap(({ is_primary, label }) => (is_primary && label ? [label] : []));
}
