/**
 * Tool calls that a model wrote as text instead of making them.
 *
 * Invariant: a call is extracted only if it parses and a tool accepts its arguments. If one of several calls fails
 * this, all of them stay text.
 */
import type { JsonObject } from '../../model/json-value.ts';
import { jsonAt } from './json-scan.ts';
import { callOfArguments, callOfTags, callsOfJson, type WrittenCall } from './written-call.ts';

export interface SalvagedText {
  readonly calls: readonly WrittenCall[];
  /** The remaining text. */
  readonly text: string;
}

/** The declared name of the tool that accepts a call; undefined if none does. */
export type AcceptCall = (name: string, input: JsonObject) => string | undefined;

/** `marked` looks only for calls in markup that has no other use. */
export function salvageCalls(
  text: string,
  accept: AcceptCall,
  forms: 'all' | 'marked' = 'all',
): SalvagedText | undefined {
  for (const find of forms === 'all' ? [...markedForms, ...plainForms] : markedForms) {
    const leaks = find(text);
    const calls = leaks.length > 0 ? acceptedCalls(leaks, accept) : undefined;
    if (calls) return { calls, text: withoutLeaks(text, leaks) };
  }
  return undefined;
}

/** Whether a text contains call markup, readable or not. */
export function hasCallMarks(text: string, names: readonly string[]): boolean {
  if (/<tool_call>|<function_calls?>|<function=|<invoke name=|\[TOOL_CALLS\]|<\|python_tag\|>/.test(text))
    return true;
  return names.some((name) =>
    new RegExp(`"(name|tool)"\\s*:\\s*"${name}"|^\\s*${name}\\s*\\(`, 'm').test(text),
  );
}

interface Leak {
  readonly start: number;
  readonly end: number;
  /** Undefined if the markup cannot be parsed. */
  readonly calls: readonly WrittenCall[] | undefined;
}

type Form = (text: string) => readonly Leak[];

function acceptedCalls(leaks: readonly Leak[], accept: AcceptCall): readonly WrittenCall[] | undefined {
  const accepted: WrittenCall[] = [];
  for (const { calls } of leaks) {
    if (calls === undefined) return undefined;
    for (const { name, input } of calls) {
      const declared = accept(name, input);
      if (declared === undefined) return undefined;
      accepted.push({ name: declared, input });
    }
  }
  return accepted.length > 0 ? accepted : undefined;
}

function withoutLeaks(text: string, leaks: readonly Leak[]): string {
  let rest = '';
  let at = 0;
  for (const { start, end } of leaks) {
    rest += text.slice(at, start);
    at = end;
  }
  return (rest + text.slice(at)).replace(/\n{3,}/g, '\n\n').trim();
}

/** `<tool_call>{…}</tool_call>` and similar; the closing tag may be missing at the end. */
function taggedJson(text: string): readonly Leak[] {
  const tags = /<(tool_call|function_call|tool)>\s*(?=[{[])|<\|(?:tool_call|python_tag)\|>\s*(?=[{[])/g;
  return [...text.matchAll(tags)].map((match) => {
    const from = match.index + match[0].length;
    const found = jsonAt(text, from);
    const end = found?.end ?? text.length;
    const closing =
      /^\s*(<\/(tool_call|function_call|tool)>|<\|\/tool_call\|>)/.exec(text.slice(end))?.[0] ?? '';
    return { start: match.index, end: end + closing.length, calls: found && callsOfJson(found.value) };
  });
}

/** `<function=Name><parameter=key>value</parameter></function>`, with or without an enclosing tag. */
function functionTags(text: string): readonly Leak[] {
  const form = /(?:<tool_call>\s*)?<function=([^>\s]+)>([\s\S]*?)<\/function>(?:\s*<\/tool_call>)?/g;
  return [...text.matchAll(form)].map((match) => {
    const [whole, name = '', body = ''] = match;
    const parameters = [...body.matchAll(/<parameter=([^>\s]+)>([\s\S]*?)<\/parameter>/g)];
    const calls = [
      callOfTags(
        name,
        parameters.map(([, key = '', value = '']) => [key, value] as const),
      ),
    ];
    return { start: match.index, end: match.index + whole.length, calls };
  });
}

/** `<invoke name="Name"><parameter name="key">value</parameter></invoke>`. */
function invokeTags(text: string): readonly Leak[] {
  const form =
    /(?:<function_calls>\s*)?<invoke name="([^"]+)">([\s\S]*?)<\/invoke>(?:\s*<\/function_calls>)?/g;
  return [...text.matchAll(form)].map((match) => {
    const [whole, name = '', body = ''] = match;
    const parameters = [...body.matchAll(/<parameter name="([^"]+)"[^>]*>([\s\S]*?)<\/parameter>/g)];
    const calls = [
      callOfTags(
        name,
        parameters.map(([, key = '', value = '']) => [key, value] as const),
      ),
    ];
    return { start: match.index, end: match.index + whole.length, calls };
  });
}

/** `[TOOL_CALLS] [{…}]`, and `[TOOL_CALLS]Name[ARGS]{…}` with or without `[ARGS]`. */
function bracketMarks(text: string): readonly Leak[] {
  return [...text.matchAll(/\[TOOL_CALLS\]\s*(?:([A-Za-z_][\w.-]*)\s*(?:\[ARGS\])?\s*)?(?=[{[])/g)].map(
    (match) => {
      const [whole, name] = match;
      const found = jsonAt(text, match.index + whole.length);
      const value = found?.value;
      const calls =
        value === undefined
          ? undefined
          : name === undefined
            ? callsOfJson(value)
            : callsOfJson({ name, arguments: value });
      return { start: match.index, end: found?.end ?? text.length, calls };
    },
  );
}

/** A fenced block that contains only a call, as JSON or written out. */
function fencedBlocks(text: string): readonly Leak[] {
  return [...text.matchAll(/```[\w-]*[ \t]*\n([\s\S]*?)\n?[ \t]*```/g)].flatMap((match) => {
    const body = (match[1] ?? '').trim();
    const found = /^[{[]/.test(body) ? jsonAt(body, 0) : undefined;
    const calls = found?.end === body.length ? callsOfJson(found.value) : callForm(body);
    return calls ? [{ start: match.index, end: match.index + match[0].length, calls }] : [];
  });
}

/** A text that consists only of calls as JSON. */
function wholeJson(text: string): readonly Leak[] {
  const start = text.search(/\S/);
  const found = start >= 0 && /[{[]/.test(text[start] ?? '') ? jsonAt(text, start) : undefined;
  if (!found || text.slice(found.end).trim() !== '') return [];
  return [{ start, end: found.end, calls: callsOfJson(found.value) }];
}

/** A line that consists only of a call: `Read({"file_path": "a.ts"})`, `Read(file_path="a.ts")`. */
function callLines(text: string): readonly Leak[] {
  return [...text.matchAll(/^[ \t]*([A-Za-z_][\w.]*\([^\n]*\))[ \t]*;?[ \t]*$/gm)].flatMap((match) => {
    const calls = callForm(match[1] ?? '');
    return calls ? [{ start: match.index, end: match.index + match[0].length, calls }] : [];
  });
}

function callForm(text: string): readonly WrittenCall[] | undefined {
  const [, name, inner] = /^([A-Za-z_][\w.]*)\(([\s\S]*)\);?$/.exec(text) ?? [];
  const call = name === undefined || inner === undefined ? undefined : callOfArguments(name, inner);
  return call && [call];
}

const markedForms: readonly Form[] = [taggedJson, functionTags, invokeTags, bracketMarks];
const plainForms: readonly Form[] = [fencedBlocks, wholeJson, callLines];
