/** A tool call that a model wrote as text. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../model/json-value.ts';

export interface WrittenCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** The calls in a JSON value; undefined if it is anything else. */
export function callsOfJson(value: JsonValue): readonly WrittenCall[] | undefined {
  if (Array.isArray(value)) return allOf(value.map(callsOfJson));
  if (!isJsonObject(value)) return undefined;
  if (Array.isArray(value.tool_calls)) return callsOfJson(value.tool_calls);
  if (isJsonObject(value.function)) return callsOfJson(value.function);
  const name = value.name ?? value.tool ?? value.tool_name;
  const input = inputOf(value.arguments ?? value.parameters ?? value.args ?? value.input);
  return typeof name === 'string' && input ? [{ name: bareName(name), input }] : undefined;
}

/** Parses `key="text", count=3`, or one JSON object. */
export function callOfArguments(name: string, text: string): WrittenCall | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return { name: bareName(name), input: {} };
  const whole = parseJson(trimmed);
  if (whole !== undefined) return isJsonObject(whole) ? { name: bareName(name), input: whole } : undefined;
  const input: Record<string, JsonValue> = {};
  let rest = trimmed;
  while (rest !== '') {
    const [matched, key, value] = argument.exec(rest) ?? [];
    const read = value === undefined ? undefined : argumentValue(value);
    if (matched === undefined || key === undefined || read === undefined) return undefined;
    input[key] = read;
    rest = rest.slice(matched.length);
  }
  return { name: bareName(name), input };
}

export function callOfTags(name: string, parameters: Iterable<readonly [string, string]>): WrittenCall {
  // Line breaks next to the tags are not part of the value.
  const input = [...parameters].map(([key, value]) => [key, value.replace(/^\n|\n$/g, '')] as const);
  return { name: bareName(name), input: Object.fromEntries(input) };
}

const argument =
  /^\s*([A-Za-z_-][\w-]*)\s*[=:]\s*("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\[[^\]]*\]|[-\w.]+)\s*(?:,|$)/s;

function argumentValue(text: string): JsonValue | undefined {
  if (text === 'True' || text === 'False') return text === 'True';
  if (text === 'None') return null;
  if (!text.startsWith("'")) return parseJson(text);
  const inner = text
    .slice(1, -1)
    .replaceAll("\\'", "'")
    .replace(/(?<!\\)"/g, '\\"');
  return parseJson(`"${inner.replaceAll('\n', '\\n')}"`);
}

function inputOf(value: JsonValue | undefined): JsonObject | undefined {
  const read = typeof value === 'string' ? parseJson(value) : value;
  return isJsonObject(read) ? read : undefined;
}

/** Some models prefix the name with a namespace. */
function bareName(name: string): string {
  return name.trim().replace(/^(functions|tools|default_api)\./, '');
}

function allOf(lists: readonly (readonly WrittenCall[] | undefined)[]): readonly WrittenCall[] | undefined {
  const calls: WrittenCall[] = [];
  for (const list of lists) {
    if (!list) return undefined;
    calls.push(...list);
  }
  return calls.length > 0 ? calls : undefined;
}
