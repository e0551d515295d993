/**
 * The parameters of tools: their types, which all tools share so that the same thing has the same rules and words
 * everywhere, the arguments of a call parsed by them, and positions as callers count them.
 *
 * Some deviations of clients are accepted: null for absent, numbers as strings or with a fraction, lists as JSON
 * text. Everything else is refused with one sentence.
 *
 * Invariants: wire names are those of the published contract; nothing here is optional by default. The caller's value
 * is never changed, and unknown properties are reported, not refused. One-based numbers exist only outside of the
 * functions below.
 */

import { z } from 'zod';
import { isRecord } from '../base/record.ts';
import type { Position, Range } from '../text/position.ts';
import { InvalidArgument, MissingArgument } from './failure.ts';
import type { JsonSchema } from './json-schema.ts';
import { nearestName } from './nearest-name.ts';

/** A required string; an empty one counts as missing. */
export function word(description: string): z.ZodString {
  return z.string().min(1).describe(description);
}

/** A string that may be empty, such as a replacement. */
export function text(description: string): z.ZodString {
  return z.string().describe(description);
}

export function whole(description: string): z.ZodNumber {
  return z.number().describe(description);
}

export function flag(description: string): z.ZodBoolean {
  return z.boolean().describe(description);
}

export const filePath: z.ZodString = word('Absolute path of the file.');

export const sessionId: z.ZodString = word('The session id returned by create_simulation_session.');

export const scope: z.ZodOptional<z.ZodEnum<{ file: 'file'; workspace: 'workspace' }>> = z
  .enum(['file', 'workspace'])
  .describe('file (default): the edited files. workspace: also every file the edits can reach.')
  .optional();

/** The scope for tools whose answer decides whether an edit is written. */
export const wideScope: typeof scope = z
  .enum(['file', 'workspace'])
  .describe(
    'workspace (default): the edited files and every file the edits can reach. file: the edited files only.',
  )
  .optional();

export const timeoutMs: z.ZodOptional<z.ZodNumber> = whole(
  'Milliseconds to wait for diagnostics; 0 or absent: 3000 for file scope, 8000 for workspace scope.',
).optional();

/** The timeout of the call in milliseconds; undefined for the default of the scope. */
export function askedTimeout(milliseconds: number | undefined): number | undefined {
  return milliseconds !== undefined && milliseconds > 0 ? milliseconds : undefined;
}

/** A one-based position in a file. */
const humanPosition = z.object({
  line: whole('Line, from 1.'),
  column: whole('Column in UTF-16 units, from 1.'),
});

/** A range in a file, as four numbers or as one object. */
export const humanRange = {
  start_line: whole('First line, from 1. Required unless range is given.').optional(),
  start_column: whole('First column, from 1. Required unless range is given.').optional(),
  end_line: whole('Last line, from 1. Required unless range is given.').optional(),
  end_column: whole(
    'Column just past the last replaced character, from 1. Required unless range is given.',
  ).optional(),
  range: z
    .object({ start: humanPosition, end: humanPosition })
    .describe('Instead of the four numbers: {start:{line,column},end:{line,column}}, from 1.')
    .optional(),
};

/** Line and column start at 1; the column counts UTF-16 units. */
export interface HumanPosition {
  readonly line: number;
  readonly column: number;
}

export interface HumanRangeInput {
  readonly start_line?: number | undefined;
  readonly start_column?: number | undefined;
  readonly end_line?: number | undefined;
  readonly end_column?: number | undefined;
  readonly range?: { readonly start: HumanPosition; readonly end: HumanPosition } | undefined;
}

function toPosition(position: HumanPosition): Position {
  atLeastOne('line', position.line);
  atLeastOne('column', position.column);
  return { line: position.line - 1, character: position.column - 1 };
}

export function toHuman(position: Position): HumanPosition {
  return { line: position.line + 1, column: position.character + 1 };
}

/** The range given by four numbers, or by the `range` object. */
export function toRange(input: HumanRangeInput): Range {
  const start = input.range?.start ?? {
    line: required('start_line', input.start_line),
    column: required('start_column', input.start_column),
  };
  const end = input.range?.end ?? {
    line: required('end_line', input.end_line),
    column: required('end_column', input.end_column),
  };
  const prefix = input.range ? '' : 'start_';
  atLeastOne(`${prefix}line`, start.line);
  atLeastOne(`${prefix}column`, start.column);
  atLeastOne(input.range ? 'line' : 'end_line', end.line);
  atLeastOne(input.range ? 'column' : 'end_column', end.column);
  if (end.line < start.line || (end.line === start.line && end.column < start.column)) {
    throw new InvalidArgument(`start position ${shown(start)} must not be after end position ${shown(end)}`);
  }
  return { start: toPosition(start), end: toPosition(end) };
}

/** A required number. */
export function required(name: string, value: number | undefined): number {
  if (value === undefined) throw new MissingArgument(`${name}: missing required argument "${name}"`, name);
  return value;
}

/** Refuses numbers below 1. */
export function atLeastOne(name: string, value: number): void {
  if (value < 1)
    throw new InvalidArgument(`${name} must be >= 1, got ${value}`, 'Lines and columns start at 1.');
}

function shown(position: HumanPosition): string {
  return `(${position.line}:${position.column})`;
}

/** The arguments of a call. */
export interface Arguments {
  readonly values: Readonly<Record<string, unknown>>;
  /** Properties that the schema does not know. */
  readonly ignored: readonly string[];
}

export function readArguments(schema: JsonSchema, raw: unknown): Arguments {
  const given = raw ?? {};
  if (!isRecord(given)) throw new InvalidArgument('arguments must be an object');
  const properties = schema.properties ?? {};
  const known = Object.keys(properties);
  return {
    values: coerceMembers(properties, given),
    ignored: Object.keys(given).filter((name) => !known.includes(name)),
  };
}

/** Parameters that the tool does not have, as reported to the caller. */
export function ignoredParameters(schema: JsonSchema, names: readonly string[]): readonly string[] {
  const known = Object.keys(schema.properties ?? {});
  return names.map((name) => {
    const nearest = nearestName(name, known);
    return nearest === undefined ? name : `${name} (did you mean ${nearest}?)`;
  });
}

/** Parses the values; throws a sentence about the first invalid one. */
export function parseArguments<Input extends z.ZodObject>(
  input: Input,
  values: Readonly<Record<string, unknown>>,
): z.infer<Input> {
  const parsed = input.safeParse(values, { error: sentenceOf, reportInput: true });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const sentence = issue?.message ?? 'arguments are not valid';
  if (!issue || !isMissing(issue)) throw new InvalidArgument(sentence);
  throw new MissingArgument(sentence, String(issue.path.at(-1) ?? ''));
}

type Issue = Parameters<z.core.$ZodErrorMap>[0];

/** The sentence for a schema error; a message defined in the schema is kept. */
function sentenceOf(issue: Issue): string {
  const [name, index, ...rest] = issue.path ?? [];
  if (name === undefined) return 'arguments must be an object';
  if (typeof index !== 'number') {
    return complaint(
      [name, index, ...rest]
        .filter((part) => part !== undefined)
        .map(String)
        .join('.'),
      issue,
    );
  }
  // A list item is named by the singular of the list's name.
  const item = `${String(name).replace(/s$/, '')}[${index}]`;
  return rest.length === 0
    ? complaint(item, issue)
    : `${item}: ${complaint(rest.map(String).join('.'), issue)}`;
}

function complaint(name: string, issue: Issue): string {
  if (isMissing(issue)) {
    const isNumber = issue.code === 'invalid_type' && issue.expected === 'number';
    return isNumber ? `${name}: missing required argument "${name}"` : `${name} is required`;
  }
  if (issue.code === 'invalid_value') return `${name} must be one of: ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_type') return `${name} must be ${article(issue.expected)}`;
  return `${name} is not valid`;
}

/** Absent, or a required string that is empty. */
function isMissing(issue: { readonly input?: unknown; readonly code?: string }): boolean {
  return issue.input === undefined || (issue.code === 'too_small' && issue.input === '');
}

function coerce(schema: JsonSchema, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  switch (schema.type) {
    case 'number':
    case 'integer':
      return toWhole(value);
    case 'boolean':
      return toBoolean(value);
    case 'array': {
      const list = fromText(value);
      return Array.isArray(list) ? list.map((item) => coerce(schema.items ?? {}, item) ?? item) : list;
    }
    case 'object': {
      const object = fromText(value);
      return schema.properties && isRecord(object) ? coerceMembers(schema.properties, object) : object;
    }
    default:
      return value;
  }
}

function coerceMembers(
  properties: Readonly<Record<string, JsonSchema>>,
  object: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const known = Object.entries(object).filter(([name]) => Object.hasOwn(properties, name));
  const members = known.map(([name, value]) => [name, coerce(properties[name] ?? {}, value)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function toWhole(value: unknown): unknown {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? Math.trunc(number) : value;
}

function toBoolean(value: unknown): unknown {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

/** Some models write lists and objects as JSON text. */
function fromText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
