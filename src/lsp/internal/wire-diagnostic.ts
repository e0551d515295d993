/**
 * Parses diagnostics of the protocol into our own type.
 *
 * Invariant: a malformed entry is kept as far as it can be parsed. Dropping it would turn a bug of the server into a
 * clean file.
 */

import { isRecord, itemsOf } from '../../base/record.ts';
import type { Position, Range } from '../../text/position.ts';
import type { Diagnostic, DiagnosticTag, RelatedPlace, Severity } from '../diagnostic.ts';

/** `decode` converts a range of the protocol to UTF-16. */
export function parseDiagnostics(items: unknown, decode: (range: Range) => Range): readonly Diagnostic[] {
  return itemsOf(items).map((item) => parseDiagnostic(isRecord(item) ? item : { message: item }, decode));
}

const severities: readonly (Severity | undefined)[] = [undefined, 'error', 'warning', 'info', 'hint'];

function parseDiagnostic(
  item: Readonly<Record<string, unknown>>,
  decode: (range: Range) => Range,
): Diagnostic {
  const { severity, source } = item;
  const code = isRecord(item.code) ? item.code.value : item.code;
  const tags = itemsOf(item.tags).flatMap(parseTag);
  const related = itemsOf(item.relatedInformation).flatMap(parseRelated);
  return {
    range: decode(parseRange(item.range)),
    // A diagnostic without a severity is read as an error.
    severity: (typeof severity === 'number' ? severities[severity] : undefined) ?? 'error',
    message: parseMessage(item.message),
    ...(typeof source === 'string' && { source }),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(tags.length > 0 && { tags }),
    ...(related.length > 0 && { related }),
    ...(item.data !== undefined && { data: item.data }),
  };
}

const tagsByNumber: readonly (DiagnosticTag | undefined)[] = [undefined, 'unnecessary', 'deprecated'];

function parseTag(tag: unknown): readonly DiagnosticTag[] {
  const known = typeof tag === 'number' ? tagsByNumber[tag] : undefined;
  return known ? [known] : [];
}

function parseRelated(item: unknown): readonly RelatedPlace[] {
  if (!isRecord(item) || !isRecord(item.location) || typeof item.location.uri !== 'string') return [];
  const { uri, range } = item.location;
  return [{ uri, range: parseRange(range), message: parseMessage(item.message) }];
}

function parseMessage(message: unknown): string {
  if (typeof message === 'string') return message;
  if (isRecord(message) && typeof message.value === 'string') return message.value;
  return message === undefined ? '' : JSON.stringify(message);
}

export function parseRange(value: unknown): Range {
  const start = parsePosition(isRecord(value) ? value.start : undefined);
  return { start, end: isRecord(value) && value.end !== undefined ? parsePosition(value.end) : start };
}

function parsePosition(value: unknown): Position {
  if (!isRecord(value)) return { line: 0, character: 0 };
  return { line: numberOf(value.line), character: numberOf(value.character) };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? value : 0;
}
