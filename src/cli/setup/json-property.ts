/**
 * Inserts and removes properties in JSON text.
 *
 * Invariant: the text around the property is unchanged, including comments on neighbouring lines. For unknown
 * layouts, the general editor is used, which keeps the values and reformats the layout.
 */
import { applyEdits, modify, type Node } from 'jsonc-parser';

export interface PropertyPlace {
  /** The object that contains the property. */
  readonly holder: Node;
  readonly path: readonly string[];
}

export function insertProperty(text: string, { holder, path }: PropertyPlace, value: unknown): string {
  const last = holder.children?.at(-1);
  const general = () => setProperty(text, path, value);
  if (!last) return general();
  const indent = indentAt(text, last.offset);
  const tail = /^(,?)([^\r\n]*)/.exec(text.slice(endOf(last)));
  const [, comma = '', rest = ''] = tail ?? [];
  if (indent === undefined || !/^[ \t]*(\/\/.*|\/\*[^*]*\*\/[ \t]*)?$/.test(rest)) return general();
  const eol = eolOf(text);
  const name = JSON.stringify(path.at(-1) ?? '');
  const lines = `${name}: ${JSON.stringify(value, undefined, indentUnit(text))}`.split('\n');
  const added = lines.map((line) => `${indent}${line}`).join(eol);
  const place = endOf(last) + comma.length + rest.length;
  return `${text.slice(0, endOf(last))},${text.slice(endOf(last) + comma.length, place)}${eol}${added}${text.slice(place)}`;
}

export function removeProperty(text: string, { holder, path }: PropertyPlace): string {
  const properties = holder.children ?? [];
  const at = properties.findIndex(({ children }) => children?.[0]?.value === path.at(-1));
  const property = properties[at];
  if (!property) return text;
  const following = /^\s*,/.exec(text.slice(endOf(property)))?.[0];
  const previous = properties[at - 1];
  const preceding = previous && /^\s*,/.exec(text.slice(endOf(previous)))?.[0];
  if (following === undefined && previous && preceding === undefined)
    return setProperty(text, path, undefined);
  const [start, end] = wholeLines(text, property.offset, endOf(property) + (following?.length ?? 0));
  const before = text.slice(0, start);
  const after = text.slice(end);
  if (following !== undefined || !previous || preceding === undefined) return before + after;
  // The last property takes the comma before it along, but not the text between them.
  const commaEnd = endOf(previous) + preceding.length;
  return before.slice(0, commaEnd - 1) + before.slice(commaEnd) + after;
}

/** Sets or removes a value at any path with the general editor. */
export function setProperty(text: string, path: readonly string[], value: unknown): string {
  const unit = indentUnit(text);
  const indentation =
    unit === '\t' ? { insertSpaces: false, tabSize: 1 } : { insertSpaces: true, tabSize: unit.length };
  const formattingOptions = { eol: eolOf(text), ...indentation };
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }));
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The indentation of the first indented line. */
function indentUnit(text: string): string {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return indent.startsWith('\t') ? '\t' : indent;
}

/** The indentation of a line, if nothing else precedes `offset` on it. */
function indentAt(text: string, offset: number): string | undefined {
  const lead = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*$/.test(lead) && offset > lead.length ? lead : undefined;
}

/** Widens a range to whole lines, if nothing else is on them. */
function wholeLines(text: string, start: number, end: number): readonly [number, number] {
  const indent = indentAt(text, start);
  const rest = /^[ \t]*\r?\n/.exec(text.slice(end))?.[0];
  return indent === undefined || rest === undefined
    ? [start, end]
    : [start - indent.length, end + rest.length];
}
