/**
 * Parses the arguments of a call with a schema.
 *
 * Some deviations of clients are accepted: null for absent, numbers as strings or with a fraction, lists as JSON
 * text. Everything else is refused with one sentence.
 *
 * Invariant: the caller's value is never changed, and unknown properties are reported, not refused.
 */
import type { z } from 'zod';
import { isRecord } from '../base/record.ts';
import { InvalidArgument, MissingArgument } from './failure.ts';
import type { JsonSchema } from './json-schema.ts';
import { nearestName } from './nearest-name.ts';

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
